/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of the places of a collective operation: blocks of a vector, binomial trees, and the
 * fold, which is used if the number of places is no power of two. Pure (COLLECTIVES.md section 1).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_PLACES_H
#define NETBENCH_MODEL_SCHEDULE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"

/* The shape of an operation; P >= 1. */
struct shape {
	uint32_t P; /* number of places */
	uint64_t k; /* bytes: size_B of COLLECTIVES.md section 1 */
	uint64_t segment; /* bytes of a segment in a chain; 0: the vector is one segment */
	/* the input of a place is already in its result, or in its own part of the result */
	bool in_place;
	/*
	 * rank of place 0; if messages arrive at the same time, the message of the lowest rank
	 * comes first
	 */
	uint32_t root;
};

/* Returns the largest power of two <= n; n >= 1. */
uint32_t places_floor_power(uint32_t n);
/* Returns the smallest d with 2^d >= n. */
uint32_t places_rounds(uint32_t n);

/*
 * A vector of k bytes cut into n blocks of whole units. The first blocks may have one unit more
 * than the others.
 */
struct cut {
	uint64_t k, unit;
	uint32_t n;
};

/*
 * Returns the cut of a vector of k bytes into n blocks. The unit is a double if k is a multiple of
 * 8, else a byte.
 */
NETBENCH_EXPORT struct cut cut_vector(uint64_t k, uint32_t n);

/* Returns the cut of n * k bytes into n blocks of k bytes each. */
struct cut cut_even(uint64_t k, uint32_t n);

/* Start and total length, in bytes, of the blocks `from` to `to` - 1. */
struct stretch {
	uint64_t at, len;
};
NETBENCH_EXPORT struct stretch cut_stretch(struct cut c, uint32_t from, uint32_t to);

/*
 * Returns the number of places in the subtree of v in a binomial tree of P places. If there are n,
 * they are the places v to v + n - 1.
 */
uint32_t places_subtree(uint32_t P, uint32_t v);

/* Returns the parent of v (v > 0) in this tree: v without its lowest set bit. */
static inline uint32_t places_parent(uint32_t v)
{
	return v & (v - 1);
}

/*
 * A fold reduces P places to q = 2^d working places, the workers; the other r = P - q places wait.
 * Places 1, 3, .., 2r-1 wait. The place before each waiting place also works for the waiting place.
 * Workers have new numbers from 0 to q-1.
 */
struct fold {
	uint32_t P, q, r;
	uint32_t me; /* new number of this place, if it is a worker */
	bool waits; /* this place waits: place - 1 works for it */
	bool stands; /* this place also works for place + 1 */
};
struct fold fold_make(uint32_t P, uint32_t place);

/* Returns the place of the worker with this new number. Returns P if the number is q. */
uint32_t fold_place(const struct fold *f, uint32_t number);

#endif
