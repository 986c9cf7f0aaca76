/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of the places of a collective operation: blocks of a vector, binomial trees, and the
 * fold of places that are no power of two. Pure (COLLECTIVES.md section 1).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_PLACES_H
#define NETBENCH_MODEL_SCHEDULE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"

/* An operation's shape; P >= 1. */
struct shape {
	uint32_t P; /* places */
	uint64_t k; /* size_B, see COLLECTIVES.md section 1 */
	uint64_t segment; /* bytes of a segment of a chain; 0: one segment */
	/* a place's input, or part of the result that is its own, lies in its result already */
	bool in_place;
	uint32_t root; /* rank of place 0: of messages at the same time the lower rank's is first */
};

/* The largest power of two <= n, n >= 1; and the least d with 2^d >= n. */
uint32_t places_power(uint32_t n);
uint32_t places_rounds(uint32_t n);

/* k bytes cut into n blocks of whole units. The first ones may have one unit more. */
struct cut {
	uint64_t k, unit;
	uint32_t n;
};

/* A vector of k bytes: in doubles if k is a multiple of 8, else in bytes. */
NETBENCH_EXPORT struct cut cut_vector(uint64_t k, uint32_t n);

/* n blocks of k bytes each. */
struct cut cut_even(uint64_t k, uint32_t n);

/* Blocks `from` to `to` - 1: where they begin, and their bytes. */
struct stretch {
	uint64_t at, len;
};
NETBENCH_EXPORT struct stretch cut_stretch(struct cut c, uint32_t from, uint32_t to);

/* The places of the subtree of v in a binomial tree of P places: v to v + size - 1. */
uint32_t places_subtree(uint32_t P, uint32_t v);

/* The place before v in that tree: v without its lowest bit; v > 0. */
static inline uint32_t places_parent(uint32_t v)
{
	return v & (v - 1);
}

/*
 * Fold: of P places q = 2^d work, r = P - q wait. Places 1, 3, .., 2r-1 wait for the place before
 * them; a worker's new number is 0 to q-1.
 */
struct fold {
	uint32_t P, q, r;
	uint32_t me; /* the worker's new number */
	bool waits; /* this place waits for place - 1 */
	bool stands; /* it works for place + 1, too */
};
struct fold fold_of(uint32_t P, uint32_t place);

/* The place of the worker with that new number; for q, P. */
uint32_t fold_place(const struct fold *f, uint32_t number);

#endif
