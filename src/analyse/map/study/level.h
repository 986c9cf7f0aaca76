/* SPDX-License-Identifier: Apache-2.0 */
/* A quantity as if all pairs were of the usual distance. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_LEVEL_H
#define NETBENCH_ANALYSE_MAP_STUDY_LEVEL_H

#include "analyse/map/judge/tournament.h"
#include "analyse/map/study/distance.h"

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
