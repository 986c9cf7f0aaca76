/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Change points of a series, such as a cost night by night: since when it lies higher or lower
 * (LOAD.md, (67)). Pure.
 */
#ifndef NETBENCH_ANALYSE_CHANGES_H
#define NETBENCH_ANALYSE_CHANGES_H

#include <stddef.h>

#include "base/stats.h"

/* A change lasts so many values at least. */
#define LASTING 6

/* Values at[..] belong to what came before, or after; numbers count from 0. */
struct change_point {
	size_t at; /* the first value after it */
	size_t first, last; /* the least and the most `at` that cost at most 3.84 more */
	double effect; /* ln of the ratio of the medians after and before */
	struct interval ratio; /* of that ratio, 95 %, by epochs where values depend */
};

struct change_points {
	struct change_point *at; /* in their order */
	size_t n;
	double scale; /* standard deviation of the values without changes */
	double rho; /* their lag-1 autocorrelation */
	double penalty; /* of a change, in squares of the scale */
};

/*
 * Finds the changes of n values x, logarithms without NaN, whose medians differ by more than
 * `least`, 0.05 for 5 %. Needs room for eight doubles a value meanwhile. 0, or -1 without memory;
 * for change_points_free in either case.
 */
int change_points_find(const double *x, size_t n, double least, struct change_points *found);
void change_points_free(struct change_points *found);

/* The smallest step, 0.05 for 5 %, that would be seen if it lasted `width` of the n values. */
double change_points_visible(const struct change_points *found, size_t n, size_t width);

#endif
