/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Westfall and Young's step-down procedure over relabellings: which points stand when all are
 * judged together (R5). Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_FLIPS_H
#define NETBENCH_ANALYSE_RUNS_FLIPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Adds up what each relabelling makes of the statistics of all points. Begins with the statistics
 * as they are; each further set of them counts once.
 */
struct stepdown {
	size_t points;
	size_t *order;		/* points by falling statistic */
	size_t *above;		/* relabellings that reach the statistic of that place */
	size_t sets;
	double *observed;	/* by place */
	bool two_sided;		/* statistics count without their signs */
};

/* For stepdown_free. */
void stepdown_open(struct stepdown *s, size_t points, const double *statistics, bool two_sided);
void stepdown_add(struct stepdown *s, const double *statistics);

/* The adjusted p of each point, in the order of the statistics. */
void stepdown_result(const struct stepdown *s, double *p);
void stepdown_free(struct stepdown *s);

#endif
