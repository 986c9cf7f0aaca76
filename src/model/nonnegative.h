/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted least squares of a few parameters that are at least 0. Pure. */
#ifndef NETBENCH_MODEL_NONNEGATIVE_H
#define NETBENCH_MODEL_NONNEGATIVE_H

#include <stddef.h>

#define NONNEGATIVE_MOST 6

/* Normal equations A v = b of n parameters v. With n alone set it is empty. */
struct nonnegative {
	size_t n;
	double A[NONNEGATIVE_MOST][NONNEGATIVE_MOST], b[NONNEGATIVE_MOST];
};

/* Adds a point y = row v with a weight. Ignores it if y is NaN or the weight is not above 0. */
void nonnegative_add(struct nonnegative *e, const double *row, double y, double weight);

/*
 * Sets v to the n parameters that have the least squares among all parameters at least 0. Tries
 * every set of parameters, with the others 0, and takes the best valid solution. If the points do
 * not tell some parameters apart, these are 0.
 */
void nonnegative_solve(const struct nonnegative *e, double *v);

#endif
