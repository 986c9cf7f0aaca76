/* SPDX-License-Identifier: Apache-2.0 */
/* Straight lines through points. Pure. */
#ifndef NETBENCH_BASE_LINE_H
#define NETBENCH_BASE_LINE_H

#include <stddef.h>

#include "base/export.h"

/* y = a + b x */
struct linear {
	double a, b;
};

/*
 * Weighted least squares over the points whose y is a number; w NULL: all count the same. A
 * constant if all weight is on one x, both NaN without any weight.
 */
NETBENCH_EXPORT struct linear line_least_squares(const double *x, const double *y, const double *w,
						  size_t n);

/* The line t = t0 + n/r_inf through times over message lengths (Hockney). */
struct line_fit {
	double t0;		/* s: overhead */
	double r_inf;		/* B/s; NaN if the time grows by less than 1 % of t0 */
	double n_half;		/* B: where half of r_inf is reached; NaN without it or if t0 < 0 */
};

/*
 * Theil-Sen (METHODS 2.4): the slope is the median of those between all pairs of points of
 * different length, t0 the median of t - n slope. All NaN below three lengths that differ, or
 * without memory. O(n^2 log n).
 */
struct line_fit line_fit(const double *bytes, const double *seconds, size_t n);

#endif
