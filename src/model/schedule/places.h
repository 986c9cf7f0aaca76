/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of the places of a collective operation: blocks of a vector, binomial trees, and the
 * fold if the number of places is no power of two. Pure (COLLECTIVES.md section 1).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_PLACES_H
#define NETBENCH_MODEL_SCHEDULE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"

/* The shape of an operation; P >= 1. */
struct shape {
	uint32_t P; /* number of places */
	uint64_t k; /* size_B, see COLLECTIVES.md section 1 */
	uint64_t segment; /* bytes of a chain's segment; 0: one segment */
	/* a place's input already lies in its result, or in the place's own part of the result */
	bool in_place;
	/* rank of place 0; of messages that arrive at the same time, the lower rank's is first */
	uint32_t root;
};

/* The largest power of two <= n; n >= 1. */
uint32_t places_floor_power(uint32_t n);
/* The smallest d with 2^d >= n. */
uint32_t places_rounds(uint32_t n);

/*
 * k bytes cut into n blocks of whole units. The first blocks may have one unit more than the
 * others.
 */
struct cut {
	uint64_t k, unit;
	uint32_t n;
};

/* Cuts a vector of k bytes into n blocks: units are doubles if k is a multiple of 8, else bytes. */
NETBENCH_EXPORT struct cut cut_vector(uint64_t k, uint32_t n);

/* Cuts n * k bytes into n blocks of k bytes each. */
struct cut cut_even(uint64_t k, uint32_t n);

/* Begin and length, in bytes, of the blocks `from` to `to` - 1 together. */
struct stretch {
	uint64_t at, len;
};
NETBENCH_EXPORT struct stretch cut_stretch(struct cut c, uint32_t from, uint32_t to);

/* Number of places in v's subtree in a binomial tree of P places: v to v + size - 1. */
uint32_t places_subtree(uint32_t P, uint32_t v);

/* The parent of v in this tree: v without its lowest set bit; v > 0. */
static inline uint32_t places_parent(uint32_t v)
{
	return v & (v - 1);
}

/*
 * Fold of P places to a power of two: q = 2^d of them work, and r = P - q wait. Places 1, 3, ..,
 * 2r-1 wait; the place before each of them works for it, too. Workers have new numbers from 0 to
 * q-1.
 */
struct fold {
	uint32_t P, q, r;
	uint32_t me; /* the new number of this place, if it works */
	bool waits; /* this place waits for place - 1 to work for it */
	bool stands; /* this place also works for place + 1 */
};
struct fold fold_make(uint32_t P, uint32_t place);

/* The place of the worker with this new number; P for number q. */
uint32_t fold_place(const struct fold *f, uint32_t number);

#endif
