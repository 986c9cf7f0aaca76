/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds hosts of two kinds: two groups that are slower between them than within, or a group that is
 * faster than the rest. Medians follow the majority. So if half of the hosts or more are slow, the
 * slow ones look normal, and the others look faster.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H

#include "analyse/map/judge/fit.h"
#include "analyse/map/verdict.h"

struct blocks {
	bool *other;		/* [host]: true on the side that the verdict does not name */
	/* hosts on the named side: the smaller one, or that of host 0; 0: no sides found */
	uint32_t nnamed;
	double effect, se;
};

/* Searches for two sides, in values without the common effects of visits. */
struct blocks blocks_find(struct peers *f);

/*
 * Searches for hosts that are faster than the rest: about a third to half of all hosts, at least
 * two. They may be faster in sending, in receiving, or only among themselves. Adds them to
 * j->faster, by their numbers in the study, and sets j->why. Racks do not count: in racks every
 * host has fast pairs. Call it after fit_median_polish(f), for 5 hosts or more.
 */
void find_faster_hosts(struct peers *f, struct map_judged *j);

#endif
