/* SPDX-License-Identifier: Apache-2.0 */
/* Who meets whom: rounds in which all hosts meet, in random order, or random matchings. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_TOURNAMENT_H

#include <stdint.h>

#include "base/random.h"

/* Two hosts in a round, and what they then measured: y of both directions; NaN: no answer. */
struct encounter {
	uint32_t i, j;
	float ij, ji;
};

/* The rounds in which n hosts all meet: one fewer than hosts, or as many if their number is odd. */
uint32_t tournament_rounds(uint32_t n);

/* Whom a host meets in a round, by (1); itself: none. Both from 0. */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host);

/*
 * A visit: the hosts in random order, which (1) is applied to, and its rounds in random order;
 * quick ones are random matchings instead.
 */
struct tournament {
	uint32_t n, nrounds;
	uint32_t *place;	/* of a host in (1), and, behind these, the host at a place */
	uint32_t *order;	/* of the rounds; quick: NULL */
	uint32_t *partner;	/* quick: of each host in this round; else NULL */
};

/*
 * Rounds of all pairs, or with quick > 0 so many matchings. ST_OK, or ST_FAILED without memory
 * (reported).
 */
int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng);
void tournament_free(struct tournament *t);

/* Before each round in turn: draws the matching of a quick one. */
void tournament_draw(struct tournament *t, struct rng *rng);

/* Whom a host meets in round k of the visit, of quick ones the one drawn last; itself: none. */
uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host);

#endif
