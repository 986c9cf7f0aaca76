/* SPDX-License-Identifier: Apache-2.0 */
/* Fits straight lines to points. The functions have no side effects. */
#ifndef NETBENCH_BASE_LINE_H
#define NETBENCH_BASE_LINE_H

#include <stddef.h>

#include "base/export.h"

/* y = a + b x */
struct linear {
	double a, b;
};

/*
 * Fits a line by weighted least squares to the points whose y is not NaN. If w is NULL, all points
 * have the same weight. If all points with weight have the same x, the line is constant (b = 0). If
 * no point has weight, a and b are NaN.
 */
NETBENCH_EXPORT struct linear line_least_squares(const double *x, const double *y, const double *w,
						  size_t n);

/* Hockney's line t = t0 + n/r_inf: the time t of a message of n bytes. */
struct line_fit {
	double t0;		/* s: time of an empty message */
	/* B/s; NaN if the time rises by at most 1 % of t0 up to the longest message */
	double r_inf;
	/* B: length at which half of r_inf is reached; NaN if r_inf is NaN or t0 < 0 */
	double n_half;
};

/*
 * Fits a line by Theil-Sen (METHODS 2.4). The slope is the median of the slopes between all pairs
 * of points of different length. t0 is the median of t - n slope. All members are NaN if fewer than
 * three lengths differ, or if memory is short. Takes O(n^2 log n) time.
 */
struct line_fit line_fit(const double *bytes, const double *seconds, size_t n);

#endif
