/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted least squares for a few parameters that must all be at least 0. Pure. */
#ifndef NETBENCH_MODEL_NONNEGATIVE_H
#define NETBENCH_MODEL_NONNEGATIVE_H

#include <stddef.h>

#define NONNEGATIVE_MOST 6

/*
 * Normal equations A v = b of n parameters v. To start without points, set n and set all other
 * members to 0.
 */
struct nonnegative {
	size_t n;
	double A[NONNEGATIVE_MOST][NONNEGATIVE_MOST], b[NONNEGATIVE_MOST];
};

/*
 * Adds a point, y = row * v, with a weight. Ignores the point if y is NaN or the weight is not
 * positive.
 */
void nonnegative_add(struct nonnegative *e, const double *row, double y, double weight);

/*
 * Sets v to the n nonnegative parameters with the smallest sum of squares. Solves for every subset
 * of the parameters, with the others at 0, and takes the best valid solution. If the points cannot
 * distinguish some parameters, these are 0.
 */
void nonnegative_solve(const struct nonnegative *e, double *v);

#endif
