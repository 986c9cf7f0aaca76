/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Westfall and Young's step-down procedure. From the statistics under many relabellings it computes
 * p-values of points that are adjusted for the number of points (R5). Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_FLIPS_H
#define NETBENCH_ANALYSE_RUNS_FLIPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Counts over all relabellings how often the statistics reach the observed ones. Each relabelling
 * gives one set of statistics. The first set is the observed one.
 */
struct stepdown {
	size_t points;
	size_t *order;		/* points by decreasing statistic */
	/* above[k]: number of sets that reach the observed statistic of point order[k] */
	size_t *above;
	size_t sets;		/* number of sets of statistics so far */
	double *observed;	/* observed statistics, in the same order */
	bool two_sided;		/* true: absolute values of the statistics are compared */
};

/* Starts with the observed statistics. Call stepdown_free() at the end. */
void stepdown_open(struct stepdown *s, size_t points, const double *statistics, bool two_sided);
/* Adds the statistics of one relabelling, in the order of the points. */
void stepdown_add(struct stepdown *s, const double *statistics);

/* Writes the adjusted p-value of each point, in the order of the points. */
void stepdown_p_values(const struct stepdown *s, double *p);
void stepdown_free(struct stepdown *s);

#endif
