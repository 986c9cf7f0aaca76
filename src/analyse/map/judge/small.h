/* SPDX-License-Identifier: Apache-2.0 */
/* Judges two to four hosts by comparing how well each single cause explains the values. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_SMALL_H
#define NETBENCH_ANALYSE_MAP_JUDGE_SMALL_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

enum { SMALL_MOST = 4 };

/* Like causes_judge(), for 2 to 4 hosts and two visits or more. */
void small_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j);

#endif
