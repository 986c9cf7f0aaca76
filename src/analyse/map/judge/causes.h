/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges the values of one quantity. The files of this folder, and what they do:
 *
 *	tournament.c	choose the hosts that meet in each round
 *	matrix.c	hold the values of all pairs in all visits
 *	fit.c		estimate the expected values of hosts and pairs by robust medians
 *	blocks.c	test whether hosts are of two kinds
 *	unsteady.c, small.c	find hosts that vary; judge up to 4 hosts
 *	again.c	measure suspects again, with good partners
 *	hosts.c, pairs.c	choose the suspects that get a verdict
 *	probe.c		test whether pairs slow each other down
 *	leaves.c	find hosts that are near each other
 *	thin.c, load.c	measure meetings that share nothing, and what links carry
 *	causes.c	run all of these steps in order
 *
 * Numbers in brackets, (1) to (14), are the equations of netbench-method(7).
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_CAUSES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_CAUSES_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

/*
 * Judges the values in m, and adds the verdicts to j. In verdicts, hosts have their numbers in the
 * study. Call it within a computation in rules->room.
 */
void causes_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j);

/*
 * Like causes_judge(), but first tests whether pairs slow each other down. If they do, it judges
 * meetings that share no link, and adds a verdict on the shared links. given: the leaf of each
 * host, a number below nleaves; NULL if unknown. level: m with all pairs levelled to one distance;
 * this matrix is judged if pairs share no links. Without levelling, `level` is m.
 */
void network_judge(const struct matrix *m, const struct matrix *level, const uint32_t *given,
		   uint32_t nleaves, const struct rules *rules, struct map_judged *j);

#endif
