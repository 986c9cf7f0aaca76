/* SPDX-License-Identifier: Apache-2.0 */
/* The circle method, in a random order of hosts and rounds; and random pairs. */
#include <stdlib.h>

#include "base/error.h"
#include "analyse/map/judge/tournament.h"

uint32_t tournament_rounds(uint32_t n)
{
	return n < 2 ? 0 : n % 2 ? n : n - 1;
}

/* (1): i and j meet in round (i + j) mod M; the last of an even number meets k in 2k mod M. */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host)
{
	uint32_t rounds = tournament_rounds(n), partner;

	if (n % 2 == 0 && host == n - 1)	/* 2k = round mod M, which is odd */
		return round % 2 ? (round + rounds) / 2 : round / 2;
	partner = (round + rounds - host % rounds) % rounds;
	if (partner == host && n % 2 == 0)
		return n - 1;
	return partner;
}

int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng)
{
	*t = (struct tournament){ .n = n, .nrounds = quick ? quick : tournament_rounds(n) };
	t->place = calloc(2 * (size_t)n + 1, sizeof(*t->place));
	t->order = quick ? NULL : calloc(t->nrounds + 1, sizeof(*t->order));
	t->partner = quick ? calloc(n + 1, sizeof(*t->partner)) : NULL;
	if (!t->place || !(quick ? t->partner : t->order)) {
		tournament_free(t);
		return error_report("no memory for the rounds of %u hosts", n);
	}
	if (quick)
		return ST_OK;
	rng_permutation(rng, t->place, n);
	for (uint32_t i = 0; i < n; i++)
		t->place[n + t->place[i]] = i;
	rng_permutation(rng, t->order, t->nrounds);
	return ST_OK;
}

void tournament_draw(struct tournament *t, struct rng *rng)
{
	uint32_t *order = t->place, n = t->n;

	if (!t->partner)
		return;
	/* pairs of neighbours in a random order; the last of an odd number meets none */
	rng_permutation(rng, order, n);
	for (uint32_t i = 0; i < n; i++)
		t->partner[order[i]] = order[(i ^ 1) < n ? i ^ 1 : i];
}

void tournament_free(struct tournament *t)
{
	free(t->place);
	free(t->order);
	free(t->partner);
	*t = (struct tournament){ 0 };
}

uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host)
{
	if (t->partner)
		return t->partner[host];
	return t->place[t->n + tournament_partner(t->n, t->order[k], t->place[host])];
}
