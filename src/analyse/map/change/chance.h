/* SPDX-License-Identifier: Apache-2.0 */
/* Which of many hosts and pairs have changed by more than chance explains. */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_CHANCE_H
#define NETBENCH_ANALYSE_MAP_CHANGE_CHANCE_H

#include "analyse/map/change/compared.h"

/* The probability of any false host of a quantity, and the share of named pairs that are false. */
#define CHANGE_CHANCE 0.05

/*
 * The largest of n probabilities that passes, of m tests in all, where the m - n others do not; -1
 * if none does. Any false one passes with CHANGE_CHANCE (Holm).
 */
double chance_of_any(double *p, size_t n, size_t m);

/* The same: of those that pass a share of CHANGE_CHANCE is false (Benjamini and Hochberg). */
double chance_of_share(double *p, size_t n, size_t m);

/* Removes the verdicts on hosts that chance explains, as there are 2n of them (n round trips). */
void chance_drop_hosts(const struct change_of *of, struct map_judged *j);

/*
 * Names the pairs that have changed by more than the network, the hosts and the verdicts on groups
 * explain. Within a computation in c->rules.room, for more than SMALL_MOST hosts. Names none where
 * A or B has one visit.
 */
void chance_judge_pairs(const struct changes *c, struct change_of *of);

#endif
