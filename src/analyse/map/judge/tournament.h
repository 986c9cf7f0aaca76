/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the hosts that meet in each round: tournaments of all hosts in random order, or random
 * pairs.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H

#include <stdint.h>

#include "base/random.h"

/* Two hosts in a round, and y of both directions after measuring; NaN: no answer. */
struct encounter {
	uint32_t i, j;
	float ij, ji;
};

/* Number of rounds until all n hosts have met: n - 1, or n if n is odd; 0 for one host. */
uint32_t tournament_rounds(uint32_t n);

/*
 * The host that `host` meets in a round, by (1); `host` itself if it meets none. Numbers are from
 * 0.
 */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host);

/*
 * The rounds of one visit. (1) is applied to the hosts in random order, and its rounds come in
 * random order. A quick visit has random matchings instead.
 */
struct tournament {
	uint32_t n, nrounds;
	uint32_t *place; /* number of each host in (1), followed by the host of each number */
	uint32_t *order;	/* order of the rounds */
	uint64_t key;		/* quick: key of this round's matching, which needs no memory */
	unsigned bits;	/* quick: half of the bits of a host's number in the permutation; else 0 */
};

/*
 * Prepares rounds in which all pairs meet, or `quick` random matchings if that is above 0. Returns
 * ST_OK, or ST_FAILED without memory (reported).
 */
int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng);
void tournament_free(struct tournament *t);

/* Call this before each round in turn. Draws the matching of a quick visit's round. */
void tournament_draw(struct tournament *t, struct rng *rng);

/*
 * The host that `host` meets in round k of the visit; `host` itself if it meets none. In a quick
 * visit it is for the round that was drawn last.
 */
uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host);

#endif
