/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs by how far they are from each other: what a network does to all pairs of a distance is not
 * taken for a property of one of them.
 */
#ifndef NETBENCH_CMD_MAP_STUDY_DISTANCE_H
#define NETBENCH_CMD_MAP_STUDY_DISTANCE_H

#include <stdio.h>

#include "cmd/map/output/words.h"

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

/* A quantity as if all pairs were of the usual distance. */
struct levelled {
	const struct study *s;
	enum quantity q;
	const struct retest *inner;	/* NULL: nothing is measured again */
	/*
	 * y of pairs between switches, by how many streams leave or enter a switch at the same
	 * time, which share its link; NaN: not known
	 */
	double *at_load;
};

/* Makes the matrix, and at_load, for free(). As matrix_make. */
int distance_level(struct levelled *l, struct matrix *to);

/* The same of what is measured again: for struct retest. */
int distance_level_round(void *arg, struct encounter *meetings, size_t n);

/*
 * A link between switches that is slower than a slow host hides it, and pairs of its own switch
 * alone show it: where more than half of a host's pairs of a distance are named, and three or more,
 * the host is named in their place. ST_OK, or ST_FAILED without memory (reported).
 */
int distance_gather(const struct study *s, struct judgement *j);

/* Pairs, and their medians, of each distance: a line, and a new reference. */
void distance_lines(FILE *to, const struct study *s, enum rate_unit rates);
json_t *distance_json(const struct study *s);

/* ---- topology.c ---- */

/*
 * Reads Slurm's topology.conf: which switch each host is at. ST_OK, or ST_* (reported, with the
 * line that is at fault).
 */
int topology_read(const char *path, struct study *s);

#endif
