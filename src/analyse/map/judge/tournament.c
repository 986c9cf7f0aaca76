/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the circle method, with hosts and rounds in random order, and random matchings. */
#include <stdlib.h>

#include "base/error.h"
#include "analyse/map/judge/tournament.h"

uint32_t tournament_rounds(uint32_t n)
{
	return n < 2 ? 0 : n % 2 ? n : n - 1;
}

/*
 * By (1), hosts i and j meet in round (i + j) mod M. If the number of hosts is even, the last host
 * meets host k in round 2k mod M.
 */
uint32_t tournament_partner(uint32_t n, uint32_t round, uint32_t host)
{
	uint32_t rounds = tournament_rounds(n), partner;

	if (n % 2 == 0 && host == n - 1)	/* solve 2k = round mod M, where M is odd */
		return round % 2 ? (round + rounds) / 2 : round / 2;
	partner = (round + rounds - host % rounds) % rounds;
	if (partner == host && n % 2 == 0)
		return n - 1;
	return partner;
}

/* ---- random matchings ---- */

#define STEPS 12			/* number of steps of the Feistel network */

/* Hashes half of a host's number with the key and the step (the finalizer of SplitMix64). */
static uint32_t mix_half(const struct tournament *t, uint64_t step, uint32_t half)
{
	uint64_t x = t->key + (step << 32 | half) * 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (uint32_t)(x ^ x >> 31) & ((1U << t->bits) - 1);
}

/*
 * Applies a random permutation of the hosts, or with `back` its inverse, to one host. It is a
 * Feistel network on the next power of 4, repeated until the number is below n. So a rank needs no
 * list of all hosts.
 */
static uint32_t permute_host(const struct tournament *t, uint32_t host, bool back)
{
	uint32_t mask = (1U << t->bits) - 1;

	do {
		uint32_t left = host >> t->bits, right = host & mask;

		for (unsigned k = 0; k < STEPS; k++) {
			uint32_t was = back ? left : right;

			if (back) {
				left = right ^ mix_half(t, STEPS - 1 - k, left);
				right = was;
			} else {
				right = left ^ mix_half(t, k, right);
				left = was;
			}
		}
		host = left << t->bits | right;
	} while (host >= t->n);
	return host;
}

/*
 * In a random order of the hosts, neighbours meet. If the number of hosts is odd, the host at the
 * end of the order meets none.
 */
static uint32_t quick_partner(const struct tournament *t, uint32_t host)
{
	uint32_t other = permute_host(t, host, false) ^ 1;

	return other < t->n ? permute_host(t, other, true) : host;
}

/* ---- visits ---- */

int tournament_make(struct tournament *t, uint32_t n, uint32_t quick, struct rng *rng)
{
	*t = (struct tournament){ .n = n, .nrounds = quick ? quick : tournament_rounds(n) };
	while (quick && (t->bits < 1 || (uint64_t)1 << 2 * t->bits < n))
		t->bits++;
	if (quick)
		return ST_OK;
	t->place = calloc(2 * (size_t)n + 1, sizeof(*t->place));
	t->order = calloc(t->nrounds + 1, sizeof(*t->order));
	if (!t->place || !t->order) {
		tournament_free(t);
		return error_report("no memory for the rounds of %u hosts", n);
	}
	rng_permutation(rng, t->place, n);
	for (uint32_t i = 0; i < n; i++)
		t->place[n + t->place[i]] = i;
	rng_permutation(rng, t->order, t->nrounds);
	return ST_OK;
}

void tournament_draw(struct tournament *t, struct rng *rng)
{
	if (t->bits)
		t->key = rng_next(rng);
}

void tournament_free(struct tournament *t)
{
	free(t->place);
	free(t->order);
	*t = (struct tournament){ 0 };
}

uint32_t tournament_meets(const struct tournament *t, uint32_t k, uint32_t host)
{
	if (t->bits)
		return quick_partner(t, host);
	return t->place[t->n + tournament_partner(t->n, t->order[k], t->place[host])];
}
