/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of pairs, and a quantity as if all pairs were of the usual distance. An effect of the
 * network on all pairs of a distance is no property of a single pair.
 */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H
#define NETBENCH_ANALYSE_MAP_STUDY_DISTANCE_H

#include "analyse/map/judge/tournament.h"
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

/* ---- as if at one distance ---- */

struct levelled {
	const struct study *s;
	enum quantity q;
	/*
	 * y of pairs between switches, by how many streams leave or enter a switch at the same
	 * time, which share its link; NaN: not known. As long as the room.
	 */
	double *at_load;
};

/* Makes at_load, and the matrix, which lives as long as the room. */
struct matrix level_make(struct levelled *l, struct scratch *room);

/* Levels a round that was measured again. */
void level_round(const struct levelled *l, struct scratch *room, struct encounter *meetings,
		 size_t n);

#endif
