/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_JUDGE_H
#define NETBENCH_ANALYSE_COMPARE_JUDGE_H

#include "analyse/compare/two.h"

extern const char *const method_names[], *const outcome_names[];	/* by number, as in rows */

/* What results of one run each are judged by. */
struct judge_by {
	const struct measure *m;
	const struct fail_if *fail;
	const json_t *spread;	/* a result of runs, whose run_spread counts (R11); NULL: none */
};

/*
 * Compares the rows of all pairs and fills in the rest of them. Exact values have a verdict; those
 * of one measured run each only by a spread.
 */
void points_judge(const struct judge_by *by, struct row_pairs *p);

#endif
