/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs by how far they are from each other: what a network does to all pairs of a distance is not
 * taken for a property of one of them.
 */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H
#define NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H

#include "analyse/map/study/study.h"

/* "same host", "same switch", "other". */
extern const char *const distance_names[NDISTANCES];

/* Of two hosts of a study that has a topology. */
enum distance distance_of(const struct study *s, uint32_t i, uint32_t j);

/*
 * Sets by how much each distance differs from that of most pairs, in each quantity; of a distance
 * with too few pairs nothing is known. After study_finish. ST_OK, or ST_FAILED (reported).
 */
int distance_find(struct study *s);

/* The distance that most pairs have, which has an offset of 0. */
enum distance distance_usual(const struct study *s);

/* Ordered pairs of a distance, whatever was measured of them. */
size_t distance_pairs(const struct study *s, enum distance d);

/* True if so many pairs of a distance, or their distance, are enough to judge them. */
bool distance_is_judged(const struct study *s, enum distance d, size_t pairs);

#endif
