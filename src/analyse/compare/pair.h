/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that set members of a row_pair, for all methods of judging. */
#ifndef NETBENCH_ANALYSE_COMPARE_PAIR_H
#define NETBENCH_ANALYSE_COMPARE_PAIR_H

#include "analyse/compare/two.h"

/* Sets all members to "unknown". */
void pair_clear(struct row_pair *pair);

/* Sets the reason why a pair has no verdict, and the remark that states the reason. */
void pair_lacks(struct row_pair *pair, enum lack lack, int side, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Returns the factor of an outcome: for FASTER 1/slower, otherwise `slower` (B's time divided by
 * A's).
 */
double factor_of_outcome(enum outcome outcome, double slower);

/* True if the factor of an outcome, which is exact, reaches the outcome's limit of --fail-if. */
bool fail_if_reached(const struct fail_if *fail, enum outcome outcome, double slower);

/*
 * Sets, from the interval, whether the limit of each outcome of --fail-if is passed. Yes: the pair
 * has that outcome, and even the better bound is past the limit. No: even the worse bound is within
 * the limit. Otherwise: cannot tell.
 */
void pair_judge_limits(const struct fail_if *fail, const struct measure *m, struct row_pair *pair);

/* Sets "cannot tell" for the limits of a pair that has both rows but no outcome. */
void pair_set_untold(const struct fail_if *fail, struct row_pair *pair);

#endif
