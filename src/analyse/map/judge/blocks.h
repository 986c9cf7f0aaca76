/* SPDX-License-Identifier: Apache-2.0 */
/* Two groups of hosts that are slower between them than within. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H
#define NETBENCH_ANALYSE_MAP_JUDGE_BLOCKS_H

#include "analyse/map/judge/fit.h"

struct blocks {
	bool *other;		/* of each host: on the side that is not named */
	uint32_t nnamed;	/* hosts on the named side, the smaller or host 0's; 0: no sides */
	double effect, se;
};

/* Looks for two sides, in values without the common effects of visits. */
struct blocks blocks_find(struct peers *f);

#endif
