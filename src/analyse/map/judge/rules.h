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
	bool given_up;			/* nobody will answer */
};

/* Where hosts are, and what pairs of two leaves have alone; by the hosts of judge_open's study. */
struct leaf_levels {
	const uint32_t *leaf;		/* of each host */
	uint32_t n;			/* leaves, and one more of hosts that are in none */
	double *of;			/* [leaf][leaf]; logs */
};

/* Measurements again at most, if each pair is alone; suspects beyond are counted. */
enum { MOST_ALONE = 400, CONTROLS_ALONE = 6 };

/* How to judge. */
struct rules {
	struct thresholds limits;
	uint64_t seed;			/* of partners when suspects are measured again */
	struct asking *again;		/* NULL: first visits only; then nothing is PERSISTENT */
	struct scratch *room;		/* of the computation; set where it begins */
	bool no_alone;			/* nothing is measured alone, as if pairs shared nothing */
	bool alone;			/* what is measured again is alone on the network */
	const struct levelled *levelled;	/* how to level values; NULL: not at all */
	const struct leaf_levels *levels;	/* the same, from a thin visit; NULL: not at all */
};

/* The level of a pair; 0 without levels. */
double leaf_level(const struct leaf_levels *l, uint32_t i, uint32_t j);

/*
 * Has a round measured by rules->again: fills ij and ji of each meeting of hosts of m, NaN without
 * an answer. Gives up the computation if nobody will answer.
 */
void ask_round(const struct rules *rules, const struct matrix *m, struct encounter *at, size_t n);

#endif
