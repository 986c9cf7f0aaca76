/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which hosts and pairs, out of many, have changed by more than chance explains. Pure. */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_CHANCE_H
#define NETBENCH_ANALYSE_MAP_CHANGE_CHANCE_H

#include "analyse/map/change/compared.h"

/*
 * CHANGE_CHANCE limits two error rates of one quantity: the probability that any named host is a
 * false finding, and the expected share of false findings among the named pairs.
 */
#define CHANGE_CHANCE 0.05

/*
 * Returns the largest of n p-values that is significant among m tests, or -1 if none is. The other
 * m - n tests count as not significant. The probability of any false finding is at most
 * CHANGE_CHANCE (Holm).
 */
double largest_p_by_holm(double *p, size_t n, size_t m);

/*
 * Does what largest_p_by_holm() does, but the expected share of false findings among the
 * significant tests is at most CHANGE_CHANCE (Benjamini and Hochberg).
 */
double largest_p_by_fdr(double *p, size_t n, size_t m);

/*
 * Removes the verdicts on hosts that chance explains. For n hosts it counts 2n tests, or n for
 * round trips.
 */
void chance_drop_hosts(const struct change_of *of, struct map_judged *j);

/*
 * Adds verdicts on pairs that have changed more than the network, their hosts and the groups with
 * verdicts explain. Needs more than SMALL_MOST hosts. Adds none if A or B has only one visit. Call
 * it within a computation in c->rules.room.
 */
void chance_judge_pairs(const struct changes *c, struct change_of *of);

#endif
