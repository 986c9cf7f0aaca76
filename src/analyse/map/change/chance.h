/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which of many hosts and pairs have changed by more than chance explains. Pure. */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_CHANCE_H
#define NETBENCH_ANALYSE_MAP_CHANGE_CHANCE_H

#include "analyse/map/change/compared.h"

/*
 * Probability that any named host of a quantity is false, and share of the named pairs that is
 * false.
 */
#define CHANGE_CHANCE 0.05

/*
 * The largest of n p-values that is significant in m tests. The other m - n tests are not
 * significant. Returns -1 if none is. The probability of any false one is CHANGE_CHANCE (Holm).
 */
double largest_p_by_holm(double *p, size_t n, size_t m);

/*
 * The same, but a share of CHANGE_CHANCE of the significant ones is false (Benjamini and Hochberg).
 */
double largest_p_by_fdr(double *p, size_t n, size_t m);

/*
 * Removes verdicts on hosts that chance explains, since 2n of them are possible (n for round
 * trips).
 */
void chance_drop_hosts(const struct change_of *of, struct map_judged *j);

/*
 * Adds verdicts on pairs whose change exceeds that of the network, of their hosts and of groups
 * with verdicts. For more than SMALL_MOST hosts. Call it within a computation in c->rules.room.
 * Adds none if A or B has only one visit.
 */
void chance_judge_pairs(const struct changes *c, struct change_of *of);

#endif
