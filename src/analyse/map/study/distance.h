/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of pairs. An effect of the network on all pairs of a distance is no property of a
 * single pair.
 */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H
#define NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H

#include "analyse/map/study/study.h"

/* "same host", "same switch", "other". */
extern const char *const distance_names[NDISTANCES];

/* The distance of two hosts, in a study with a topology. */
enum distance distance_of(const struct study *s, uint32_t i, uint32_t j);

/*
 * Sets the number of measured pairs of each distance, and the median of their y, in each quantity.
 * After study_finish. ST_OK, or ST_FAILED (reported).
 */
int distance_find(struct study *s);

/* The distance of most pairs, whose values stay as they are. */
enum distance distance_usual(const struct study *s);

/* The number of ordered pairs of a distance, of the quantity with most of them. */
size_t distance_pairs(const struct study *s, enum distance d);

/* True if pairs of this distance can be judged: it is the usual one, or they are enough. */
bool distance_is_judged(const struct study *s, enum distance d, size_t pairs);

#endif
