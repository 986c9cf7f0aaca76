/* SPDX-License-Identifier: Apache-2.0 */
/* Which hosts meet in each round: tournaments of all hosts in random order, or random pairs. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H

#include <stdint.h>

#include "base/random.h"

/* Two hosts in a round, and y of both directions, once it is measured; NaN: no answer. */
struct encounter {
	uint32_t i, j;
	float ij, ji;
};

/* The number of rounds until all n hosts have met: n - 1, or n if it is odd; 0 for one host. */
uint32_t tournament_rounds(uint32_t n);

/* The host that a host meets in a round, by (1); itself: it meets none. Both from 0. */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host);

/*
 * A visit: (1) is applied to the hosts in random order, and its rounds come in random order. A
 * quick visit is random matchings instead.
 */
struct tournament {
	uint32_t n, nrounds;
	uint32_t *place;	/* of a host in (1), and, behind these, the host at a place */
	uint32_t *order;	/* of the rounds */
	uint64_t key;		/* quick: of the matching of this round, which takes no memory */
	unsigned bits;		/* quick: half of those of a place; else 0 */
};

/*
 * Makes rounds of all pairs, or `quick` random matchings if that is above 0. ST_OK, or ST_FAILED
 * without memory (reported).
 */
int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng);
void tournament_free(struct tournament *t);

/* Before each round in turn: draws the matching of a quick one. */
void tournament_draw(struct tournament *t, struct rng *rng);

/*
 * The host that a host meets in round k of the visit; of a quick visit in the round that was drawn
 * last. Itself: it meets none.
 */
uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host);

#endif
