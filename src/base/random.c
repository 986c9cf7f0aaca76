/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

/*
 * Fills the state by splitmix64, as the authors of xoshiro advise. No seed gives a state of only
 * zeros.
 */
void rng_seed(struct rng *r, uint64_t seed)
{
	for (size_t i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
		r->s[i] = z ^ (z >> 31);
	}
}

/* Rotates x to the left by `by` bits. */
static uint64_t rotate_left(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, out = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return out;
}

void rng_permutation(struct rng *r, uint32_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t bound = i + 1, surplus = -bound % bound, x;

		/*
		 * Rejects the smallest 2^64 mod `bound` numbers, which would make small results
		 * more frequent.
		 */
		do
			x = rng_next(r);
		while (x < surplus);
		p[i] = p[x % bound];
		p[x % bound] = (uint32_t)i;
	}
}
