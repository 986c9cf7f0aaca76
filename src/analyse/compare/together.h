/* SPDX-License-Identifier: Apache-2.0 */
/* Judges several runs of A and of B, over all points together (RUNS.md, (R2)-(R7) and (R12)). */
#ifndef NETBENCH_ANALYSE_COMPARE_TOGETHER_H
#define NETBENCH_ANALYSE_COMPARE_TOGETHER_H

#include "analyse/runs/table.h"

/*
 * Fill in t->pairs. Blocks (in turns): the ratio of the blocks, and --fail-if by (R7). Groups: the
 * shift between the groups; no verdict if one group was measured entirely before the other.
 */
void points_judge_blocks(struct run_table *t, const struct fail_if *fail);
void points_judge_groups(struct run_table *t, const struct fail_if *fail);

#endif
