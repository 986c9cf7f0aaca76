/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_JUDGE_H
#define NETBENCH_ANALYSE_COMPARE_JUDGE_H

#include "analyse/compare/two.h"

extern const char *const method_names[], *const outcome_names[];	/* by number, as in rows */

/*
 * Compares the rows of all pairs and fills in the rest of them; those of results that were taken
 * `in_turns` (--paired) by the median of the logarithms of the pairs' ratios. All points together
 * then say which outcomes stand. ST_OK or ST_FAILED (reported).
 */
int points_judge(const struct measure *m, struct row_pairs *p, bool in_turns);

#endif
