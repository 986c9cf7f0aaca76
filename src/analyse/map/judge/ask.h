/* SPDX-License-Identifier: Apache-2.0 */
/* How judging asks for measurements: it stops where it stands until it has them. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_ASK_H
#define NETBENCH_ANALYSE_MAP_JUDGE_ASK_H

#include "analyse/map/study/level.h"
#include "base/coroutine.h"

/* A round: meetings of disjoint pairs, which measure a quantity at the same time. */
struct meetings {
	enum quantity quantity;
	struct encounter *at;		/* NULL: no round is asked for */
	size_t n;
};

struct asking {
	struct coroutine *self;		/* what judging runs in */
	struct meetings wanted;		/* now, or of `quantity` next */
	const struct levelled *levelled;	/* as which values are given; NULL: as they are */
	bool given_up;			/* nobody will answer any more */
};

/*
 * Has a round measured: fills ij and ji of each meeting, NaN without an answer. ST_OK, ST_FAILED
 * if the run is over, or without memory (reported).
 */
int ask_round(struct asking *a, struct encounter *at, size_t n);

#endif
