/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a row_pair that all ways of judging fill in alike. */
#ifndef NETBENCH_ANALYSE_COMPARE_PAIR_H
#define NETBENCH_ANALYSE_COMPARE_PAIR_H

#include "analyse/compare/two.h"

/* Nothing is known of it yet. */
void pair_clear(struct row_pair *pair);

/* Sets the reason why a pair has no verdict, and the remark that says so. */
void pair_lacks(struct row_pair *pair, enum lack lack, int side, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The factor of an outcome: B's time over A's; for FASTER the reverse. */
double outcome_factor(enum outcome outcome, double slower);

/* Whether an exact outcome reaches its limit of --fail-if. */
bool fail_if_reached(const struct fail_if *fail, enum outcome outcome, double slower);

/*
 * Sets from the interval whether the limits of --fail-if are passed: yes if its better end is past
 * the limit and the outcome is found, no if its worse end is within, else it cannot be told.
 */
void pair_limit(const struct fail_if *fail, const struct measure *m, struct row_pair *pair);

/* Sets that the limits cannot be told for a pair of two rows without an outcome. */
void pair_open(const struct fail_if *fail, struct row_pair *pair);

#endif
