/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nonnegative.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* If a relative pivot is smaller than this, the points cannot distinguish the parameters. */
#define SINGULAR 1e-12

void nonnegative_add(struct nonnegative *e, const double *row, double y, double weight)
{
	if (isnan(y) || !(weight > 0))
		return;
	for (size_t i = 0; i < e->n; i++) {
		e->b[i] += weight * row[i] * y;
		for (size_t j = 0; j < e->n; j++)
			e->A[i][j] += weight * row[i] * row[j];
	}
}

/*
 * Solves by elimination for the parameters whose bits are in `set`; the other parameters are 0.
 * Returns false if the points cannot distinguish these parameters, or if one of these is negative.
 */
static bool solve_set(struct nonnegative e, unsigned int set, double *v)
{
	const struct nonnegative given = e;

	for (size_t k = 0; k < e.n; k++) {
		v[k] = 0;
		if (!(set >> k & 1))
			continue;
		if (!(e.A[k][k] > SINGULAR * given.A[k][k]))
			return false;
		for (size_t i = k + 1; i < e.n; i++) {
			double f = e.A[i][k] / e.A[k][k];

			e.b[i] -= f * e.b[k];
			for (size_t j = k; j < e.n; j++)
				e.A[i][j] -= f * e.A[k][j];
		}
	}
	for (size_t k = e.n; k-- > 0;) {
		if (!(set >> k & 1))
			continue;
		v[k] = e.b[k];
		for (size_t j = k + 1; j < e.n; j++)
			v[k] -= e.A[k][j] * v[j];
		v[k] /= e.A[k][k];
		if (!(v[k] >= 0))
			return false;
	}
	return true;
}

void nonnegative_solve(const struct nonnegative *e, double *v)
{
	const unsigned int all = (1U << e->n) - 1;
	double tried[NONNEGATIVE_MOST], most = 0;

	memset(v, 0, e->n * sizeof(*v));
	for (unsigned int set = all; set; set--) {
		/* how much smaller the sum of squares is than with all parameters 0 */
		double less = 0;

		if (!solve_set(*e, set, tried))
			continue;
		for (size_t i = 0; i < e->n; i++)
			less += e->b[i] * tried[i];
		if (less > most) {
			most = less;
			memcpy(v, tried, e->n * sizeof(*v));
		}
		if (set == all)
			/*
			 * the search ends: this is the unconstrained solution, and none of its
			 * values is negative
			 */
			break;
	}
}
