/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From values to verdicts. The files:
 *
 *	tournament.c	which hosts meet in which round
 *	matrix.c	values of all pairs in all visits
 *	fit.c		values to expect of hosts and pairs: robust medians
 *	blocks.c	whether hosts are of two kinds
 *	unsteady.c, small.c	hosts that vary, up to 4 hosts
 *	again.c	measuring suspects again, with good partners
 *	hosts.c, pairs.c	which suspects are named
 *	probe.c		whether pairs slow each other down
 *	leaves.c	which hosts are near each other
 *	thin.c, load.c	meetings that share nothing, and what links carry
 *	causes.c	all of these steps in order
 *
 * Numbers in brackets, (1) to (14), are the equations of netbench-method(7).
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_CAUSES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_CAUSES_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

/*
 * Judges the values in m, and adds the verdicts to j. Verdicts have the numbers of hosts in the
 * study. Call it within a computation in rules->room.
 */
void causes_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j);

/*
 * Like causes_judge(), but first tests whether pairs slow each other down. If they do, it judges
 * meetings that share nothing, and reports how much the other meetings share. given: the leaf of
 * each host, below nleaves; NULL if unknown. level: m with all pairs levelled to one distance, for
 * pairs that share nothing; without levels it is m.
 */
void network_judge(const struct matrix *m, const struct matrix *level, const uint32_t *given,
		   uint32_t nleaves, const struct rules *rules, struct map_judged *j);

#endif
