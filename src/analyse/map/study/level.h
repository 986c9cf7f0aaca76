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
	 * time, which share its link; NaN: not known. For free().
	 */
	double *at_load;
};

/* Makes the matrix, and at_load. As matrix_make. */
int level_make(struct levelled *l, struct matrix *to);

/* The same of a round that was measured again. ST_OK, or ST_FAILED without memory (reported). */
int level_round(const struct levelled *l, struct encounter *meetings, size_t n);

#endif
