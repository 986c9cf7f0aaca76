/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest effects of suspects and verdicts, and other rules of judging. Judging asks for
 * measurements: its coroutine pauses until it has them.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_RULES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_RULES_H

#include <stdint.h>

#include "analyse/map/study/distance.h"
#include "base/coroutine.h"

/*
 * Smallest effects of hosts and pairs, as logarithms: to be suspect (pair_quick: in quick mode), to
 * pass a retest (again), and to get a verdict. host_other is for the second direction of a host.
 */
struct thresholds {
	double host_suspect, host_again, host_other, host;
	double pair_suspect, pair_quick, pair_again, pair;
};

/*
 * Thresholds that give a verdict to hosts slower by the share `effect`, and to pairs slower by 1.6
 * times as much.
 */
#define PAIR_TO_HOST 1.6
struct thresholds thresholds_for(double effect);

/*
 * Raises all thresholds in proportion, until that of verdicts on hosts is `host`. Never lowers
 * them.
 */
void thresholds_raise(struct thresholds *t, double host);

/*
 * With this number of hosts or more, residuals show the noise of a single visit, as in mode quick.
 */
#define QUICK_HOSTS 8

/* A round: meetings of disjoint pairs, which all measure one quantity at the same time. */
struct meetings {
	enum quantity quantity;
	struct encounter *at;		/* NULL: no round is wanted */
	size_t n;
};

/* What connects judging with its caller, which measures rounds. */
struct asking {
	struct coroutine *self;		/* the coroutine of judging */
	/* the round that is wanted now; `quantity` is also that of the next one */
	struct meetings wanted;
	bool given_up;			/* the caller will not measure any more */
};

/*
 * The leaves of hosts, and usual values between leaves when pairs are alone. Hosts have their
 * numbers in the study of judge_open().
 */
struct leaf_levels {
	const uint32_t *leaf;		/* leaf of each host */
	uint32_t n;			/* number of leaves, plus one for hosts that are in none */
	double *of;			/* [leaf][leaf]: usual values, logarithms */
};

/*
 * Limits of retests in which each pair is alone: measurements, and controls. Suspects beyond the
 * limit are counted.
 */
enum { MOST_ALONE = 400, CONTROLS_ALONE = 6 };

/* The rules of judging. */
struct rules {
	struct thresholds limits;
	uint64_t seed;			/* for the partners in retests */
	struct asking *again; /* NULL: there are only first visits, and no verdict is PERSISTENT */
	struct scratch *room;		/* the working memory of the computation, which sets it */
	bool no_alone;			/* nothing is measured alone, as if pairs shared no links */
	bool alone;			/* in retests each pair is alone on the network */
	const struct levelled *levelled; /* how to level values by distance; NULL: no levelling */
	const struct leaf_levels *levels;	/* levels of leaves from a thin visit; NULL: none */
};

/* The level of a pair; 0 if l is NULL. */
double leaf_level(const struct leaf_levels *l, uint32_t i, uint32_t j);

/*
 * Gets a round measured through rules->again. Sets ij and ji of each meeting of hosts of m; NaN
 * without an answer. Gives up the computation if the caller will not measure.
 */
void ask_round(const struct rules *rules, const struct matrix *m, struct encounter *at, size_t n);

#endif
