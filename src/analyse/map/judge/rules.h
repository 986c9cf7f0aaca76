/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Least effects of suspects and verdicts, and how to judge. Judging asks for measurements: its
 * coroutine stops until it has them.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_RULES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_RULES_H

#include <stdint.h>

#include "analyse/map/study/distance.h"
#include "base/coroutine.h"

/* Least effects of hosts and pairs that are suspect, pass a retest, or are named; logs. */
struct thresholds {
	double host_suspect, host_again, host_other, host;
	double pair_suspect, pair_quick, pair_again, pair;
};

/* Names hosts that are slower by the share `effect`, and pairs by 1.6 times as much. */
#define PAIR_TO_HOST 1.6
struct thresholds thresholds_of(double effect);

/* Raises all in proportion, until named hosts have the effect `host`; never lowers them. */
void thresholds_raise(struct thresholds *t, double host);

/* From this number of hosts on, residuals show the noise of a single visit, as in mode quick. */
#define QUICK_HOSTS 8

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

/* How to judge. */
struct rules {
	struct thresholds limits;
	uint64_t seed;			/* of partners when suspects are measured again */
	struct asking *again;		/* NULL: first visits only; then nothing is PERSISTENT */
	struct scratch *room;		/* of the computation; set where it begins */
};

/*
 * Has a round measured by rules->again: fills ij and ji of each meeting of hosts of m, NaN without
 * an answer. Gives up the computation if nobody will answer.
 */
void ask_round(const struct rules *rules, const struct matrix *m, struct encounter *at, size_t n);

#endif
