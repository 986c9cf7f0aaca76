/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds that measure suspects again (the retest). In each round, good hosts that meet no suspect
 * meet each other. These pairs are controls, which show the common effect of the round.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H
#define NETBENCH_ANALYSE_MAP_JUDGE_AGAIN_H

#include "analyse/map/judge/fit.h"
#include "base/random.h"

/* A control: its measured values minus the expected values, in both directions. */
struct control_pair {
	uint32_t round;
	double ij, ji;
};

struct retesting {
	struct peers *f;
	struct rng rng;
	uint32_t round;			/* number of rounds that have been measured */
	struct encounter *at;		/* the pairs of this round; has room for n */
	uint32_t *order;		/* hosts in random order */
	bool *busy;			/* [host]: true if it already has a meeting in this round */
	/* returns true if the pair must not be a control; NULL: any pair may be one */
	bool (*avoid)(const void *arg, uint32_t i, uint32_t j);
	const void *arg;
	struct control_pair *control;
	size_t ncontrols;
	double *ref; /* common effect of each round; has room for `most` rounds */
	uint32_t most;			/* largest number of rounds with a reference */
};

/* Prepares up to `most` rounds with references. Allocates in f->room. */
struct retesting again_make(struct peers *f, uint64_t seed, uint32_t most);

/*
 * Measures a round: the n meetings in a->at, followed by controls. If rules->alone is set, pairs
 * are measured one after the other. If the caller does not measure, ends the computation early, as
 * ask_round() does.
 */
void again_measure_round(struct retesting *a, size_t n);

/* Returns the common effect of a round on its pairs; NaN with fewer than two controls. */
double again_reference(struct retesting *a, uint32_t round);

/*
 * Call this after all rounds. Sets a->ref to the common effect of each round. A round with fewer
 * than two controls gets the median over the controls of all rounds. If there are no controls at
 * all, first measures `more` rounds that consist only of controls.
 */
void again_set_references(struct retesting *a, uint32_t more);

/*
 * Returns how many of the suspects can be measured in this number of rounds: all, unless
 * rules->alone is set.
 */
size_t again_limit(const struct rules *rules, uint32_t rounds, size_t suspects);

/*
 * Returns the share of controls that are below `below`. A control's value is the mean of both
 * directions, minus its round's common effect.
 */
double again_share_below(const struct retesting *a, double below);

/* Puts all hosts into a random order, in a->order. */
void again_shuffle(struct retesting *a);

#endif
