/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the suspect pairs are named. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_PAIRS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_PAIRS_H

#include "analyse/map/judge/fit.h"
#include "analyse/map/verdict.h"

/*
 * As hosts_judge, for pairs, by (9), (10), (14). Leaves out the pairs of unsteady hosts and of
 * members of groups.
 */
void pairs_judge(struct peers *f, const bool *in_group, struct map_judged *j);

#endif
