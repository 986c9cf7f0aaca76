/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which suspect pairs get a verdict. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_PAIRS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_PAIRS_H

#include "analyse/map/judge/fit.h"
#include "analyse/map/verdict.h"

/*
 * Like hosts_judge(), but for pairs, by (9), (10) and (14). Leaves out pairs with an unsteady host
 * or with a member of a group.
 */
void pairs_judge(struct peers *f, const bool *in_group, struct map_judged *j);

#endif
