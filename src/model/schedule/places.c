/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/places.h"

uint32_t places_floor_power(uint32_t n)
{
	uint32_t q = 1;

	while (q <= n / 2)
		q *= 2;
	return q;
}

uint32_t places_rounds(uint32_t n)
{
	uint32_t d = 0;

	while (d < 32 && (UINT64_C(1) << d) < n)
		d++;
	return d;
}

struct cut cut_vector(uint64_t k, uint32_t n)
{
	return (struct cut){ .k = k, .unit = k % 8 ? 1 : 8, .n = n };
}

struct cut cut_even(uint64_t k, uint32_t n)
{
	return (struct cut){ .k = k * n, .unit = k ? k : 1, .n = n };
}

static uint64_t block_begin(struct cut c, uint32_t i)
{
	uint64_t all = c.k / c.unit, more = all % c.n;

	return c.unit * (all / c.n * i + (i < more ? i : more));
}

struct stretch cut_stretch(struct cut c, uint32_t from, uint32_t to)
{
	uint64_t at = block_begin(c, from);

	return (struct stretch){ at, block_begin(c, to) - at };
}

uint32_t places_subtree(uint32_t P, uint32_t v)
{
	uint32_t size = v & -v;

	return v && size < P - v ? size : P - v;
}

struct fold fold_make(uint32_t P, uint32_t place)
{
	struct fold f = { .P = P, .q = places_floor_power(P) };

	f.r = P - f.q;
	f.waits = place < 2 * f.r && place % 2;
	f.stands = place < 2 * f.r && !f.waits;
	f.me = place < 2 * f.r ? place / 2 : place - f.r;
	return f;
}

uint32_t fold_place(const struct fold *f, uint32_t number)
{
	return number < f->r ? 2 * number : number + f->r;
}
