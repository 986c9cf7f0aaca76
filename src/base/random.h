/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_BASE_RANDOM_H
#define NETBENCH_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * A small random number generator for reproducible choices (xoshiro256**). rng_seed initialises it.
 */
struct rng {
	uint64_t s[4];
};
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);

/* Writes a random permutation of 0..n-1 to p (Fisher-Yates, unbiased). */
void rng_permutation(struct rng *r, uint32_t *p, size_t n);

#endif
