/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the suspect hosts are named, and what is found of pairs. */
#ifndef NETBENCH_CMD_MAP_JUDGE_HOSTS_H
#define NETBENCH_CMD_MAP_JUDGE_HOSTS_H

#include "cmd/map/judge/fit.h"
#include "cmd/map/judge/unsteady.h"

/*
 * Measures suspects again, if rules->again, and adds those that are named to j. Afterwards
 * f->bad_s, bad_r and varies are of these alone, with (8) for them; in_group marks members of a
 * group. ST_*.
 */
int hosts_judge(struct peers *f, const struct rules *rules, const struct unsteady *u,
		bool *in_group, struct judgement *j);

/* The same of pairs by (9), (10), (14), but for those of unsteady hosts and members of groups. */
int pairs_judge(struct peers *f, const struct rules *rules, const bool *in_group,
		struct judgement *j);

#endif
