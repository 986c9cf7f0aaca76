/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds that measure suspects again. Meanwhile the other good hosts meet each other: these
 * controls show the common effect of a round.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H
#define NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H

#include "analyse/map/judge/fit.h"
#include "base/random.h"

/* A control: its values above the expected ones, of both directions. */
struct control_pair {
	uint32_t round;
	double ij, ji;
};

struct retesting {
	struct peers *f;
	struct rng rng;
	uint32_t round;			/* rounds done */
	struct encounter *at;		/* of this round; room n */
	uint32_t *order;
	bool *busy;
	bool (*avoid)(const void *arg, uint32_t i, uint32_t j);	/* no control; or NULL */
	const void *arg;
	struct control_pair *control;
	size_t ncontrols;
	double *ref;			/* of each round, room for `most` */
	uint32_t most;
};

/* For `most` rounds with references, in f->room. */
struct retesting again_make(struct peers *f, uint64_t seed, uint32_t most);

/*
 * Measures a round: the n meetings in a->at, and controls behind them; one after the other if the
 * rules say alone. As ask_round.
 */
void again_round(struct retesting *a, size_t n);

/* The common effect of a round on its pairs; NaN with fewer than two controls. */
double again_reference(struct retesting *a, uint32_t round);

/*
 * After all rounds: puts into a->ref what each did to all. A round with fewer than two control
 * pairs gets the median of all rounds. Without any control it first measures `more` rounds of good
 * hosts alone.
 */
void again_refer(struct retesting *a, uint32_t more);

/* How many of the suspects so many rounds can measure: all, unless the rules say alone. */
size_t again_room(const struct rules *rules, uint32_t rounds, size_t suspects);

/* The share of controls with a mean below `below`, relative to their round. */
double again_share_below(const struct retesting *a, double below);

/* Puts the hosts into a random order, a->order. */
void again_shuffle(struct retesting *a);

#endif
