/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests whether hosts are of two kinds. Either two sides are slower with each other than within
 * each side, or some hosts are faster than the rest. Medians follow the majority. So if half of the
 * hosts or more are slow, the slow hosts look normal and the others look faster.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H

#include "analyse/map/judge/fit.h"
#include "analyse/map/verdict.h"

struct blocks {
	bool *other; /* [host]: true if the host is on the side that the verdict does not name */
	/*
	 * number of hosts on the named side: the smaller one or, if both are equal, that of host 0;
	 * 0: no sides were found
	 */
	uint32_t nnamed;
	double effect, se;
};

/* Searches for two sides. It uses the values minus the common effects of visits. */
struct blocks blocks_find(struct peers *f);

/*
 * Searches for hosts that are faster than the rest: about a third to half of all hosts, and at
 * least two. They may be faster in sending, in receiving, or only among themselves. Stores their
 * numbers in the study in j->faster, and sets j->why. Hosts are not faster if every host has fast
 * pairs, as in racks. Call it after fit_median_polish(f), for 5 hosts or more.
 */
void find_faster_hosts(struct peers *f, struct map_judged *j);

#endif
