/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds in which suspects are measured again, while good hosts that have nothing else to do meet
 * among themselves: controls, which say what a round does to all.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H
#define NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H

#include "analyse/map/judge/ask.h"
#include "analyse/map/judge/fit.h"
#include "base/random.h"

/* Values of controls: less what they should reach; of both directions, and their mean. */
struct control_pair {
	uint32_t round;
	double ij, ji, mean;
};

struct retesting {
	struct asking *ask;
	struct peers *f;
	struct rng rng;
	uint32_t round;			/* rounds done */
	struct encounter *at, *sent;	/* of this round, by numbers here and elsewhere; room n */
	uint32_t *order;
	bool *busy;
	bool (*avoid)(const void *arg, uint32_t i, uint32_t j);	/* no control; or NULL */
	const void *arg;
	struct control_pair *control;
	size_t ncontrols;
	double *ref;			/* of each round, room for `most` */
	uint32_t most;
};

/* ST_OK, or ST_FAILED without memory (reported); again_free in either case. */
int again_make(struct retesting *a, struct peers *f, struct asking *ask, uint64_t seed,
	       uint32_t most);
void again_free(struct retesting *a);

/* Measures a round: the n meetings in a->at, and controls behind them. ST_*. */
int again_round(struct retesting *a, size_t n);

/* What a round did to all of its pairs; NaN with fewer than two of controls. */
double again_reference(struct retesting *a, uint32_t round);

/*
 * After all rounds: what each did to all, in a->ref. A round with fewer than two control pairs has
 * what all rounds have; without any, `more` rounds of good hosts alone are measured first. ST_*.
 */
int again_refer(struct retesting *a, uint32_t more);

/* The share of controls' means that are below, relative to their round. */
double again_share_below(const struct retesting *a, double below);

/* Puts the hosts into a random order, a->order. */
void again_shuffle(struct retesting *a);

#endif
