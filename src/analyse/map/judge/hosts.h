/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which suspect hosts get a verdict. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_HOSTS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_HOSTS_H

#include "analyse/map/judge/unsteady.h"
#include "analyse/map/verdict.h"

/*
 * Measures suspects again, if f->rules->again is set, and adds verdicts on the confirmed ones to j.
 * Afterwards the marks `bad` and `varies` of f are only on these hosts, and (8) is estimated again.
 * in_group marks the members of a group.
 */
void hosts_judge(struct peers *f, const struct unsteady *u, bool *in_group, struct map_judged *j);

#endif
