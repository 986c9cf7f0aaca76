/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_JUDGE_H
#define NETBENCH_ANALYSE_COMPARE_JUDGE_H

#include "analyse/compare/two.h"

/* indexed by enum; the words in rows */
extern const char *const method_names[], *const outcome_names[];

/* The measure, limits and spread that results with one run each are judged by. */
struct judge_by {
	const struct measure *m;
	const struct fail_if *fail;
	const json_t *spread;	/* a result of runs, whose run_spread is used (R11); NULL: none */
};

/*
 * Compares the rows of all pairs and fills in the other members of the pairs. Exact values get a
 * verdict. Measured values with one run each get one only if a spread is given.
 */
void points_judge(const struct judge_by *by, struct row_pairs *p);

#endif
