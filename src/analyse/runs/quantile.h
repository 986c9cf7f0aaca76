/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of the distributions that RUNS.md uses. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_QUANTILE_H
#define NETBENCH_ANALYSE_RUNS_QUANTILE_H

#include <stddef.h>

/*
 * The value that Student's t with `nu` degrees of freedom, above 0, stays below with probability
 * p (0 < p < 1).
 */
double student_quantile(double p, double nu);

/* The same of chi-squared. */
double chi_squared_quantile(double p, double nu);

/*
 * The largest k with P(W <= k-1) <= alpha/2, where W is the signed-rank statistic of n
 * differences without an effect: the k-th Walsh average from either end bounds an interval of
 * level 1 - alpha (R3). 0: there is none.
 */
size_t signed_rank_bound(size_t n, double alpha);

/* The same for the differences of all pairs of two groups, by the Mann-Whitney statistic (R12). */
size_t mann_whitney_bound(size_t n, size_t m, double alpha);

#endif
