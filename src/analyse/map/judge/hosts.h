/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the suspect hosts are named. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_HOSTS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_HOSTS_H

#include "analyse/map/judge/unsteady.h"
#include "analyse/map/verdict.h"

/*
 * Measures suspects again, if f->rules->again, and names in j the ones that are confirmed.
 * Afterwards f->bad_s, bad_r and varies mark only these, with (8) for them; in_group marks members
 * of a group.
 */
void hosts_judge(struct peers *f, const struct unsteady *u, bool *in_group, struct map_judged *j);

#endif
