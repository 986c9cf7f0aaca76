/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds that measure suspects again. In each round the other good hosts also meet in pairs. These
 * pairs are controls, which show the common effect of the round.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H
#define NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H

#include "analyse/map/judge/fit.h"
#include "base/random.h"

/* A control: its values minus the expected ones, in both directions. */
struct control_pair {
	uint32_t round;
	double ij, ji;
};

struct retesting {
	struct peers *f;
	struct rng rng;
	uint32_t round;			/* number of rounds done */
	struct encounter *at;		/* pairs of this round; allocated for n */
	uint32_t *order;		/* hosts in random order */
	bool *busy;			/* [host]: not free for a control in this round */
	/* true: the pair must not be a control; or NULL */
	bool (*avoid)(const void *arg, uint32_t i, uint32_t j);
	const void *arg;
	struct control_pair *control;
	size_t ncontrols;
	double *ref;			/* common effect of each round; allocated for `most` */
	uint32_t most;			/* number of rounds that get a reference */
};

/* Prepares `most` rounds with references, in f->room. */
struct retesting again_make(struct peers *f, uint64_t seed, uint32_t most);

/*
 * Measures a round: the n meetings in a->at, and after them controls. If the rules say alone, pairs
 * are measured one after the other. Without an answer it behaves as ask_round().
 */
void again_measure_round(struct retesting *a, size_t n);

/* The common effect of a round on its pairs; NaN with fewer than two controls. */
double again_reference(struct retesting *a, uint32_t round);

/*
 * Call this after all rounds. Sets a->ref to the common effect of each round. A round with fewer
 * than two controls gets the median of all rounds. If there are no controls at all, first measures
 * `more` rounds of good hosts alone.
 */
void again_set_references(struct retesting *a, uint32_t more);

/*
 * Number of the suspects that this number of rounds can measure: all, unless the rules say alone.
 */
size_t again_limit(const struct rules *rules, uint32_t rounds, size_t suspects);

/*
 * The share of controls whose mean of both directions, relative to their round, is less than
 * `below`.
 */
double again_share_below(const struct retesting *a, double below);

/* Puts all hosts into a random order, in a->order. */
void again_shuffle(struct retesting *a);

#endif
