/* SPDX-License-Identifier: Apache-2.0 */
/* Judges several runs of A and of B, all points together (RUNS.md, (R2)-(R7) and (R12)). */
#ifndef NETBENCH_ANALYSE_COMPARE_TOGETHER_H
#define NETBENCH_ANALYSE_COMPARE_TOGETHER_H

#include "analyse/runs/table.h"

/*
 * Fills in t->pairs. In turns: the ratio of blocks, and --fail-if by (R7). In groups: the shift,
 * and no verdict where one group was measured wholly before the other.
 */
void points_judge_blocks(struct run_table *t, const struct fail_if *fail);
void points_judge_groups(struct run_table *t, const struct fail_if *fail);

#endif
