/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted least squares of a few parameters none of which is negative. Pure. */
#ifndef NETBENCH_MODEL_NONNEGATIVE_H
#define NETBENCH_MODEL_NONNEGATIVE_H

#include <stddef.h>

#define NONNEGATIVE_MOST 6

/* Normal equations A v = b of n parameters v. With n alone set it is empty. */
struct nonnegative {
	size_t n;
	double A[NONNEGATIVE_MOST][NONNEGATIVE_MOST], b[NONNEGATIVE_MOST];
};

/* Adds a point y = row v with a weight; none if y is NaN or the weight not above 0. */
void nonnegative_add(struct nonnegative *e, const double *row, double y, double weight);

/*
 * The n parameters with the least squares among those that are not negative: of all sets of
 * parameters, the others 0, the best whose solution is not. Points that do not tell parameters
 * apart determine fewer of them; the others are 0.
 */
void nonnegative_solve(const struct nonnegative *e, double *v);

#endif
