/* SPDX-License-Identifier: Apache-2.0 */
/* Two groups of hosts that are slower between them than within. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H

#include "analyse/map/judge/fit.h"

struct blocks {
	bool *other;		/* of each host: on the side that is not named; for free() */
	uint32_t nnamed;	/* hosts on the side that is, the smaller or host 0's; 0: none */
	double effect, se;
};

/* Looks at f->x after fit_centre_visits and fit_polish. ST_OK or ST_FAILED (reported). */
int blocks_find(struct peers *f, const struct thresholds *limits, uint64_t seed, struct blocks *b);

#endif
