/* SPDX-License-Identifier: Apache-2.0 */
/* The line t = t0 + n/r_inf through times over message lengths (Hockney). Pure. */
#ifndef NETBENCH_BASE_LINE_H
#define NETBENCH_BASE_LINE_H

#include <stddef.h>

struct line_fit {
	double t0;		/* s: overhead */
	double r_inf;		/* B/s: asymptotic throughput; NaN if the time grows by less than 1 % of t0 */
	double n_half;		/* B: where half of it is reached, t0 r_inf; NaN without it, or if t0 is negative */
};

/*
 * Theil-Sen (METHODS 2.4): the slope is the median of those between all pairs of points of different length, t0 the median of
 * t - n slope. All NaN below three lengths that differ, or without memory. O(n^2 log n).
 */
struct line_fit line_fit(const double *bytes, const double *seconds, size_t n);

#endif
