/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of judging, such as the smallest effects of suspects and of verdicts. Also the way in
 * which judging gets measurements: its coroutine pauses until the caller has measured.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_RULES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_RULES_H

#include <stdint.h>

#include "analyse/map/study/distance.h"
#include "base/coroutine.h"

/*
 * Smallest effects, as logarithms. *_suspect: a host or pair is a suspect (pair_quick: in quick
 * mode). *_again: a suspect passes a retest. host and pair: a verdict is given. host_other: the
 * second direction of a host is included.
 */
struct thresholds {
	double host_suspect, host_again, host_other, host;
	double pair_suspect, pair_quick, pair_again, pair;
};

/*
 * Returns thresholds by which hosts that are slower by the share `effect` get a verdict. Pairs need
 * an effect that is 1.6 times as large.
 */
#define PAIR_TO_HOST 1.6
struct thresholds thresholds_for(double effect);

/*
 * Raises all thresholds by the same factor, so that the threshold of verdicts on hosts becomes
 * `host`. Never lowers them.
 */
void thresholds_raise(struct thresholds *t, double host);

/*
 * With at least this number of hosts, the residuals of a single visit show its noise, as in mode
 * quick.
 */
#define QUICK_HOSTS 8

/* A round: meetings of disjoint pairs, which all measure one quantity at the same time. */
struct meetings {
	enum quantity quantity;
	struct encounter *at;		/* NULL: no round is wanted */
	size_t n;
};

/* Passes rounds from judging to its caller, which measures them. */
struct asking {
	struct coroutine *self;		/* the coroutine of judging */
	/* the round that is wanted now; the next round has the same `quantity` */
	struct meetings wanted;
	bool given_up;			/* true: the caller will not measure any more */
};

/*
 * The leaves of hosts, and the usual values of pairs of two leaves when each pair is alone. Hosts
 * have their numbers in the study of judge_open().
 */
struct leaf_levels {
	const uint32_t *leaf;		/* leaf of each host */
	uint32_t n; /* number of leaves, plus one for the hosts that are in no leaf */
	double *of;			/* [leaf][leaf]: usual values, logarithms */
};

/*
 * Limits of a retest in which each pair is alone: number of measurements, and number of controls.
 * Suspects beyond the limit are not measured but counted.
 */
enum { MOST_ALONE = 400, CONTROLS_ALONE = 6 };

/* The rules of judging. */
struct rules {
	struct thresholds limits;
	uint64_t seed;			/* seed for the choice of partners in retests */
	struct asking *again; /* NULL: there are only first visits, and no verdict is PERSISTENT */
	struct scratch *room;		/* working memory; the computation sets it */
	bool no_alone; /* true: nothing is measured alone, as if pairs shared no links */
	bool alone;			/* true: in retests each pair is alone on the network */
	bool all_vary; /* true: most hosts vary, each with a load of its own; none is unsteady */
	const struct levelled *levelled; /* how to level values by distance; NULL: no levelling */
	const struct leaf_levels *levels;	/* levels of leaves from a thin visit; NULL: none */
};

/* Returns the level of a pair's leaves; 0 if l is NULL. */
double leaf_level(const struct leaf_levels *l, uint32_t i, uint32_t j);

/*
 * Asks the caller, through rules->again, to measure a round of n meetings of hosts of m. Sets ij
 * and ji of each meeting; NaN without an answer. Ends the computation early if the caller will not
 * measure.
 */
void ask_round(const struct rules *rules, const struct matrix *m, struct encounter *at, size_t n);

#endif
