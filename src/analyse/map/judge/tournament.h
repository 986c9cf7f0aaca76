/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses which hosts meet in each round: by a tournament of all hosts in random order, or by
 * random pairs.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H

#include <stdint.h>

#include "base/random.h"

/*
 * Two hosts that meet in a round. After the measurement, ij is y from i to j, and ji is y from j to
 * i; NaN: no answer.
 */
struct encounter {
	uint32_t i, j;
	float ij, ji;
};

/*
 * Returns the number of rounds in which all n hosts meet each other: n - 1, or n if n is odd; 0 for
 * one host.
 */
uint32_t tournament_rounds(uint32_t n);

/*
 * Returns the host that `host` meets in a round, by (1); `host` itself if it meets none. Hosts and
 * rounds are numbered from 0.
 */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host);

/*
 * The rounds of one visit. The hosts are numbered at random for (1), and the rounds of (1) come in
 * random order. In a quick visit, each round is a random matching instead.
 */
struct tournament {
	uint32_t n, nrounds;
	/* for each host its number in (1); after these n entries, for each number its host */
	uint32_t *place;
	uint32_t *order;	/* order of the rounds */
	uint64_t key; /* quick: key from which this round's matching is computed, without a list */
	/* quick: half the number of bits of a host's number in the permutation; else 0 */
	unsigned bits;
};

/*
 * Prepares rounds in which all pairs meet. If `quick` is above 0, prepares this number of random
 * matchings instead. Returns ST_OK, or ST_FAILED without memory (reported).
 */
int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng);
void tournament_free(struct tournament *t);

/* Call this before each round in turn. Draws the matching of a quick visit's round. */
void tournament_draw(struct tournament *t, struct rng *rng);

/*
 * Returns the host that `host` meets in round k of the visit; `host` itself if it meets none. In a
 * quick visit, k is ignored: the round is the one that tournament_draw() drew most recently.
 */
uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host);

#endif
