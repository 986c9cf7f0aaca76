/* SPDX-License-Identifier: Apache-2.0 */
/* Judges several runs of A and of B, over all points together (RUNS.md, (R2)-(R7) and (R12)). */
#ifndef NETBENCH_ANALYSE_COMPARE_TOGETHER_H
#define NETBENCH_ANALYSE_COMPARE_TOGETHER_H

#include "analyse/runs/table.h"

/*
 * Set t->pairs. For blocks (A and B in turns): the ratio over the blocks, and the limits of
 * --fail-if by (R7). For groups: the shift between the groups. Groups get no verdict if one of them
 * was measured entirely before the other.
 */
void points_judge_blocks(struct run_table *t, const struct fail_if *fail);
void points_judge_groups(struct run_table *t, const struct fail_if *fail);

#endif
