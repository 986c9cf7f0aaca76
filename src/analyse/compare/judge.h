/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_JUDGE_H
#define NETBENCH_ANALYSE_COMPARE_JUDGE_H

#include "analyse/compare/two.h"

/* names of methods and outcomes in rows; indexed by enum method and enum outcome */
extern const char *const method_names[], *const outcome_names[];

/* How results with one run each are judged. */
struct judge_by {
	const struct measure *m;
	const struct fail_if *fail;
	const json_t *spread; /* a result of runs that supplies run_spread for (R11); NULL: none */
};

/*
 * Compares the rows of all pairs, and sets the other members of the pairs. Exact values get a
 * verdict. Measured values with one run each get a verdict only if `spread` is given.
 */
void points_judge(const struct judge_by *by, struct row_pairs *p);

#endif
