/* SPDX-License-Identifier: Apache-2.0 */
/* Two, three and four hosts: one cause, all hypotheses. */
#ifndef NETBENCH_CMD_MAP_JUDGE_SMALL_H
#define NETBENCH_CMD_MAP_JUDGE_SMALL_H

#include "cmd/map/judge/judge.h"

enum { SMALL_MOST = 4 };

/* As judge, for 2 to 4 hosts and two visits or more. */
int small_judge(const struct matrix *m, const struct rules *rules, struct judgement *j);

/* True if a cause slows what goes from i to j; the members of a group are not looked at. */
bool cause_has(const struct cause *c, uint32_t i, uint32_t j);

#endif
