/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of the distributions that RUNS.md uses. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_QUANTILE_H
#define NETBENCH_ANALYSE_RUNS_QUANTILE_H

#include <stddef.h>

/* The p-quantile (0 < p < 1) of Student's t distribution with `nu` > 0 degrees of freedom. */
double student_quantile(double p, double nu);

/* The p-quantile of the chi-squared distribution with `nu` > 0 degrees of freedom. */
double chi_squared_quantile(double p, double nu);

/*
 * Returns the rank k for an interval of level 1 - alpha (R3). The bounds of the interval are the
 * k-th Walsh averages from either end. k is the largest number with P(W <= k-1) <= alpha/2. W is
 * the signed-rank statistic of n differences if there is no effect. Returns 0 if no k qualifies.
 */
size_t signed_rank_bound(size_t n, double alpha);

/*
 * Returns the rank k, as signed_rank_bound() does, for the differences between each of n values of
 * one group and each of m values of the other. The statistic is Mann-Whitney's (R12).
 */
size_t mann_whitney_bound(size_t n, size_t m, double alpha);

#endif
