/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/collective/inputs.h"

#include <math.h>
#include <string.h>

#include "measure/collective/round.h"
#include "measure/session.h"
#include "measure/verify/content.h"

/* ---- operations that move blocks ---- */

/* Returns the key that determines the content of the block from place `from` for place `to`. */
static struct content_key key_of_block(const struct session *s, uint32_t from, uint32_t to,
				       uint64_t seq)
{
	return (struct content_key){ .seed = s->settings->m.seed, .src = from, .dst = to,
				     .seq = seq };
}

/*
 * Fills n blocks of k bytes with the content that place `from` has for places `first` to first + n
 * - 1.
 */
static void fill_blocks(const struct session *s, unsigned char *at, uint32_t from, uint32_t first,
			uint32_t n, uint64_t k, uint64_t seq)
{
	for (uint32_t i = 0; i < n; i++) {
		struct content_key key = key_of_block(s, from, first + i, seq);

		content_fill(at + i * k, k, &key);
	}
}

/* ---- operations that add ---- */

/* Returns 64 random bits that are determined by all arguments. */
static uint64_t random_bits(const struct session *s, uint64_t seq, uint64_t i, uint64_t rank)
{
	uint64_t x = s->settings->m.seed + seq * 0x9e3779b97f4a7c15U + i * 0xbf58476d1ce4e5b9U +
		     rank * 0x94d049bb133111ebU;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
	x = (x ^ x >> 27) * 0x94d049bb133111ebU;
	return x ^ x >> 31;
}

/*
 * Element i of the input of place r is the whole number x_r[i] = u_i + r w_i (COLLECTIVES.md 46).
 * Its sum over r < P is P u_i + w_i P (P-1) / 2, and its maximum u_i + (P-1) w_i. If maxima are
 * computed, r is a rotated number of the place, so that each place has the maximum of some
 * elements.
 */
struct terms {
	uint64_t u, w;
};

static struct terms compute_terms(const struct session *s, uint64_t seq, uint64_t i)
{
	uint64_t x = random_bits(s, seq, i, 0);

	return (struct terms){ x & 0xfffff, 1 + (x >> 20) % 0xfffff };
}

/* Returns a real number of either sign, with a magnitude between 2^-8 and 2^8. */
static double real_element(const struct session *s, uint64_t seq, uint64_t i, uint64_t rank)
{
	uint64_t x = random_bits(s, seq, i, rank + 1);
	double mantissa = 1 + (double)(x >> 12) * 0x1p-52;

	return ldexp(x & 1 ? mantissa : -mantissa, (int)(x >> 1 & 15) - 8);
}

/* Returns element i of the input of a place. */
static double input_element(const struct session *s, const struct collective *c, uint64_t seq,
			    uint64_t i, uint64_t place)
{
	struct terms t;

	if (c->values == VALUES_REAL)
		return real_element(s, seq, i, place);
	t = compute_terms(s, seq, i);
	if (c->reduce_op == REDUCE_MAX)
		place = (place + i + seq) % c->shape.P;
	return (double)(t.u + place * t.w);
}

/* The value that element i of a result must have, and by how much it may differ from that. */
struct right_value {
	long double value, tolerance;
};

/* u of COLLECTIVES.md (47): half the distance from 1 to the next larger double. */
#define UNIT_ROUNDOFF 0x1p-53L

static struct right_value expect_element(const struct session *s, const struct collective *c,
				      uint64_t seq, uint64_t i)
{
	uint64_t P = c->shape.P;
	long double sum = 0, size = 0, largest = -INFINITY;
	struct terms t;

	if (c->values == VALUES_WHOLE) {
		t = compute_terms(s, seq, i);
		sum = (long double)(P * t.u + t.w * P * (P - 1) / 2);
		largest = (long double)(t.u + (P - 1) * t.w);
		return (struct right_value){ c->reduce_op == REDUCE_MAX ? largest : sum, 0 };
	}
	for (uint64_t r = 0; r < P; r++) {
		long double x = real_element(s, seq, i, r);

		sum += x;
		size += fabsl(x);
		largest = fmaxl(largest, x);
	}
	if (c->reduce_op == REDUCE_MAX)
		return (struct right_value){ largest, 0 };
	size *= (P - 1) * UNIT_ROUNDOFF / (1 - (P - 1) * UNIT_ROUNDOFF);
	return (struct right_value){ sum, size };
}

/* ---- inputs and results of an operation ---- */

/*
 * Returns the vector that holds this place's input. For a broadcast, this is the vector of the
 * result. For other operations in place it is so too, except for scatter and for places without a
 * result.
 */
static enum vector input_vector(const struct collective *c, uint32_t place)
{
	bool everyone = !operation_has_root(c->op);

	if (c->op == OPERATION_BCAST)
		return VECTOR_OUT;
	if (c->op == OPERATION_SCATTER)
		return VECTOR_IN;
	return c->shape.in_place && (everyone || !place) ? VECTOR_OUT : VECTOR_IN;
}

/*
 * Returns the number under which this rank's blocks are stored. netbench's algorithms number blocks
 * by place, a transport's own operation numbers them by rank.
 */
static uint32_t block_number(const struct session *s, const struct collective *c, uint32_t place)
{
	return c->algorithm ? place : (uint32_t)s->job->rank;
}

void inputs_prepare(struct session *s, const struct collective *c, uint64_t seq)
{
	const struct vectors *v = &s->part.vectors;
	uint32_t place = collective_place(s, c), me = block_number(s, c, place), P = c->shape.P;
	struct extent e = operation_extent(c->op, &c->shape, place);
	enum vector which = input_vector(c, place);
	unsigned char *in = v->at[which];
	uint64_t k = c->shape.k;

	content_zero(v->at[VECTOR_OUT], e.out);
	for (uint64_t i = 0; i < k / 8 && operation_adds(c->op); i++)
		((double *)(void *)in)[i] = input_element(s, c, seq, i, me);
	if (c->op == OPERATION_ALLTOALL)
		fill_blocks(s, in, me, 0, P, k, seq);
	else if (c->op == OPERATION_SCATTER && !place)
		fill_blocks(s, in, 0, 0, P, k, seq);
	else if (c->op == OPERATION_GATHER || c->op == OPERATION_ALLGATHER)
		fill_blocks(s, which == VECTOR_OUT ? in + me * k : in, me, 0, 1, k, seq);
	else if (c->op == OPERATION_BCAST && !place)
		fill_blocks(s, in, 0, 0, 1, k, seq);
}

/*
 * Checks this place's sums or maxima: to the bit, but sums of real numbers within the bound of
 * COLLECTIVES.md (47). Returns 0, or 1 if an element is wrong.
 */
static uint64_t check_sums(const struct session *s, const struct collective *c, uint32_t place,
			   uint64_t seq, uint64_t *checked)
{
	const double *sums = (const double *)(const void *)collective_last_result(s);
	struct stretch part = { 0, c->shape.k };
	uint32_t P = c->shape.P;

	if (c->op == OPERATION_REDUCE && place)
		return 0;
	if (c->op == OPERATION_REDUCE_SCATTER)
		part = cut_stretch(cut_vector(c->shape.k, P), place, place + 1);
	if (!part.len)
		return 0;
	*checked += 1;
	for (uint64_t i = 0; i < part.len / 8; i++) {
		struct right_value e = expect_element(s, c, seq, part.at / 8 + i);

		/* also false if the element is not a number */
		if (!(fabsl(sums[i] - e.value) <= e.tolerance))
			return 1;
	}
	return 0;
}

uint64_t inputs_check(const struct session *s, const struct collective *c, uint64_t seq,
		      uint64_t *checked)
{
	uint32_t place = collective_place(s, c), me = block_number(s, c, place);
	struct extent e = operation_extent(c->op, &c->shape, place);
	uint64_t k = c->shape.k, wrong = 0;
	bool of_all = c->op == OPERATION_GATHER || c->op == OPERATION_ALLGATHER ||
		      c->op == OPERATION_ALLTOALL;
	bool for_each = c->op == OPERATION_SCATTER || c->op == OPERATION_ALLTOALL;

	if (operation_adds(c->op))
		return check_sums(s, c, place, seq, checked);
	if (c->op == OPERATION_SCATTER && !place && c->shape.in_place)
		return 0;
	for (uint32_t i = 0; k && i < e.out / k; i++) {
		struct content_key key = key_of_block(s, of_all ? i : 0, for_each ? me : 0, seq);

		*checked += 1;
		wrong += content_check(collective_last_result(s) + i * k, k, &key) != 0;
	}
	return wrong;
}

uint64_t inputs_digest_result(const struct session *s, const struct collective *c)
{
	const unsigned char *at = collective_last_result(s);
	uint64_t digest = 1, word;

	if (c->op != OPERATION_ALLREDUCE || c->values == VALUES_WHOLE)
		return 0;
	for (uint64_t i = 0; i < c->shape.k; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		digest = (digest ^ word) * 0x100000001b3U;
		digest ^= digest >> 29;
	}
	return digest;
}
