/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which suspect hosts get a verdict. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_HOSTS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_HOSTS_H

#include "analyse/map/judge/unsteady.h"
#include "analyse/map/verdict.h"

/*
 * Measures suspects again if f->rules->again is set, and adds verdicts on the confirmed suspects to
 * j. Afterwards f marks only the confirmed hosts as `bad` or `varies`, and holds new estimates by
 * (8). Sets in_group[] for the members of a group.
 */
void hosts_judge(struct peers *f, const struct unsteady *u, bool *in_group, struct map_judged *j);

#endif
