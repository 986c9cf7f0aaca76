/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the change points of a series, such as the cost of each night. From a change point on, the
 * values are higher or lower (LOAD.md, (67)). Pure.
 */
#ifndef NETBENCH_ANALYSE_CHANGES_H
#define NETBENCH_ANALYSE_CHANGES_H

#include <stddef.h>

#include "base/stats.h"

/* A change counts only if it lasts at least this number of values. */
#define LASTING 6

/* A change point. Values have the numbers 0, 1, ... in a series. */
struct change_point {
	size_t at; /* the first value after the change */
	/* possible values of `at`: from `first` to `last`, the cost is at most 3.84 higher */
	size_t first, last;
	double effect; /* ln(median after the change / median before it) */
	/*
	 * 95 % interval of the ratio of these medians; from epochs if values depend on one another
	 */
	struct interval ratio;
};

struct change_points {
	struct change_point *at; /* in the order of the series */
	size_t n;
	double scale; /* standard deviation of the values between the changes */
	double rho; /* lag-1 autocorrelation of the values between the changes */
	double penalty; /* penalty for a change, in units of scale squared */
};

/*
 * Finds the changes of n values x, which are logarithms without NaN. Keeps a change if the medians
 * before and after it differ by more than `least` (0.05 is 5 %). Needs temporary memory for eight
 * doubles a value. The caller frees them with change_points_free().
 */
void change_points_find(const double *x, size_t n, double least, struct change_points *found);
void change_points_free(struct change_points *found);

/*
 * Returns the smallest step that would be detected if it lasted for `width` of the n values; 0.05
 * is 5 %.
 */
double smallest_visible_step(const struct change_points *found, size_t n, size_t width);

#endif
