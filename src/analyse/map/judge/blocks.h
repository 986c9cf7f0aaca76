/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether hosts are of two kinds: two groups that are slower between them than within, or one that
 * is faster than the rest. Medians follow the majority: if half of the hosts or more are slow, the
 * slow ones look normal, and the others look faster.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H

#include "analyse/map/judge/fit.h"
#include "analyse/map/verdict.h"

struct blocks {
	bool *other;		/* of each host: on the side that is not named */
	uint32_t nnamed;	/* hosts on the named side, the smaller or host 0's; 0: no sides */
	double effect, se;
};

/* Looks for two sides, in values without the common effects of visits. */
struct blocks blocks_find(struct peers *f);

/*
 * Looks for hosts that are faster than the rest: about a third to half of all, at least two.
 * They may be faster in sending, in receiving, or only among themselves. Puts them into
 * j->faster, by the numbers that they have elsewhere, and sets j->why. Racks are no such case:
 * there every host has fast pairs. f: as fit_polish leaves it, of 5 hosts or more.
 */
void normal_check(struct peers *f, struct map_judged *j);

#endif
