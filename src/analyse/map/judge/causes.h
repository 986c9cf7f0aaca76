/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From values to verdicts. A file tells its part:
 *
 *	tournament.c	who meets whom in which round
 *	matrix.c	what was measured, of all pairs in all visits
 *	fit.c		what hosts and pairs should reach: medians that faults do not move
 *	normal.c	whether most hosts are alike, or there is no normal
 *	unsteady.c, blocks.c, small.c	hosts that vary, groups behind a slow link, up to 4 hosts
 *	again.c, ask.c	suspects are measured again, with partners that are none
 *	hosts.c, pairs.c	who of the suspects is named
 *	causes.c	all of this in its order
 *
 * Numbers in brackets, (1) to (14), are the equations of netbench-method(7).
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_CAUSES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_CAUSES_H

#include "analyse/map/judge/matrix.h"
#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

/*
 * Adds what is found in m to j, by the numbers that its hosts have elsewhere. Within a computation
 * in rules->room.
 */
void causes_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j);

#endif
