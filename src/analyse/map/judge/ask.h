/* SPDX-License-Identifier: Apache-2.0 */
/* Judging asks for measurements: its coroutine stops until it has them. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_ASK_H
#define NETBENCH_ANALYSE_MAP_JUDGE_ASK_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/study/level.h"
#include "base/coroutine.h"

/* A round: meetings of disjoint pairs, which measure a quantity at the same time. */
struct meetings {
	enum quantity quantity;
	struct encounter *at;		/* NULL: no round is asked for */
	size_t n;
};

struct asking {
	struct coroutine *self;		/* judging runs in it */
	struct meetings wanted;		/* now, or of `quantity` next */
	const struct levelled *levelled;	/* how to level values; NULL: not at all */
	bool given_up;			/* nobody will answer */
};

/*
 * Has a round measured by rules->again: fills ij and ji of each meeting, NaN without an answer.
 * Gives up the computation if nobody will answer.
 */
void ask_round(const struct rules *rules, struct encounter *at, size_t n);

#endif
