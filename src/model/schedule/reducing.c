/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/reducing.h"

#include "model/schedule/moving.h"

/*
 * Memory in which a place adds vectors. `total` is the sum of whole vectors so far. It is in the
 * result if the result holds a whole vector, else in the scratch. `arriving` is memory for a
 * received vector.
 */
struct sum {
	struct span total, arriving;
};

static struct sum sum_in_result(void)
{
	return (struct sum){ span_out(0), span_scratch(0) };
}

static struct sum sum_in_scratch(const struct shape *a)
{
	return (struct sum){ span_scratch(0), span_scratch(a->k) };
}

/*
 * Copies the input of this place to the sum. With a->in_place and in_result, the input is in the
 * result. Otherwise it is in the input vector.
 */
static void begin_sum(struct schedule *s, const struct shape *a, const struct sum *sum,
		      bool in_result)
{
	schedule_copy(s, sum->total, in_result && a->in_place ? span_out(0) : span_in(0), a->k);
}

/*
 * Sends a part of this place's sum to a peer, receives a part of the peer's sum, and adds the
 * received part to its own sum.
 */
static void exchange_sums(struct schedule *s, const struct sum *sum, uint32_t peer,
			  struct stretch in, struct stretch out)
{
	schedule_step(s);
	schedule_receive(s, peer, sum->arriving, in.len);
	schedule_send(s, peer, span_after(sum->total, out.at), out.len);
	schedule_add(s, span_after(sum->total, in.at), sum->arriving, in.len);
}

static void receive_sum(struct schedule *s, const struct sum *sum, uint32_t peer, uint64_t k)
{
	schedule_step(s);
	schedule_receive(s, peer, sum->arriving, k);
	schedule_add(s, sum->total, sum->arriving, k);
}

/* ---- sum to place 0 ---- */

void reduce_linear(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct sum sum = sum_in_result();

	schedule_step(s);
	if (place) {
		schedule_send(s, 0, span_in(0), a->k);
		return;
	}
	begin_sum(s, a, &sum, true);
	for (uint32_t v = 1; v < a->P; v++)
		receive_sum(s, &sum, v, a->k);
}

/*
 * Adds the vectors along a binomial tree, from the child with the smallest subtree on. `own` is the
 * vector that holds the input. A leaf sends this vector.
 */
static void sum_up_tree(struct schedule *s, const struct shape *a, uint32_t place,
			const struct sum *sum, struct span own)
{
	uint32_t size = places_subtree(a->P, place);

	if (!place || size > 1)
		schedule_copy(s, sum->total, own, a->k);
	for (uint32_t far = 1; far < size; far *= 2)
		receive_sum(s, sum, place + far, a->k);
	schedule_step(s);
	if (place)
		schedule_send(s, places_parent(place), size > 1 ? sum->total : own, a->k);
}

void reduce_binomial(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct sum sum = place ? sum_in_scratch(a) : sum_in_result();

	sum_up_tree(s, a, place, &sum, !place && a->in_place ? span_out(0) : span_in(0));
}

/*
 * A waiting place sends its vector. The function then returns false, because this place has nothing
 * more to add. A place that works for another place adds that place's vector to its own.
 */
static bool fold_sums(struct schedule *s, const struct shape *a, const struct fold *f,
		      uint32_t place, const struct sum *sum)
{
	schedule_step(s);
	if (f->waits)
		schedule_send(s, place - 1, sum->total, a->k);
	if (f->stands)
		receive_sum(s, sum, place + 1, a->k);
	return !f->waits;
}

/*
 * Returns the range of blocks of a worker after its exchanges with workers at all distances from
 * the largest down to `far`.
 */
static struct stretch block_range(const struct fold *f, struct cut c, uint32_t number, uint32_t far)
{
	uint32_t from = number - number % far;

	/* here the vector has one block for each worker, below it has one for each place */
	if (c.n == f->q)
		return cut_stretch(c, from, from + far);
	return cut_stretch(c, fold_place(f, from), fold_place(f, from + far));
}

/*
 * Adds the vectors by recursive halving. At the end, each worker has the sum of its own range of
 * blocks.
 */
static void reduce_by_halving(struct schedule *s, const struct fold *f, struct cut c,
			      const struct sum *sum)
{
	for (uint32_t far = f->q / 2; far; far /= 2) {
		uint32_t peer = f->me ^ far;

		exchange_sums(s, sum, fold_place(f, peer), block_range(f, c, f->me, far),
			      block_range(f, c, peer, far));
	}
}

void reduce_rabenseifner(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct fold f = fold_make(a->P, place);
	struct cut c = cut_vector(a->k, f.q);
	struct sum sum = place ? sum_in_scratch(a) : sum_in_result();

	begin_sum(s, a, &sum, !place);
	if (!fold_sums(s, a, &f, place, &sum))
		return;
	reduce_by_halving(s, &f, c, &sum);
	for (uint32_t far = 1; far < f.q; far *= 2) {
		bool up = f.me & far;
		uint32_t peer = fold_place(&f, f.me ^ far);
		struct stretch part = block_range(&f, c, f.me | far, far);

		schedule_step(s);
		if (up)
			schedule_send(s, peer, span_after(sum.total, part.at), part.len);
		else
			schedule_receive(s, peer, span_after(sum.total, part.at), part.len);
		if (up)
			return;
	}
}

/* ---- sum to all places ---- */

void allreduce_reduce_bcast(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct sum sum = sum_in_result();

	sum_up_tree(s, a, place, &sum, a->in_place ? span_out(0) : span_in(0));
	bcast_down_tree(s, a->P, place, span_out(0), a->k);
}

/* Sends the whole result to the waiting places. */
static void send_result(struct schedule *s, const struct shape *a, const struct fold *f,
			uint32_t place)
{
	schedule_step(s);
	if (f->waits)
		schedule_receive(s, place - 1, span_out(0), a->k);
	if (f->stands)
		schedule_send(s, place + 1, span_out(0), a->k);
}

void allreduce_recursive_doubling(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct fold f = fold_make(a->P, place);
	struct sum sum = sum_in_result();
	struct stretch all = { 0, a->k };

	begin_sum(s, a, &sum, true);
	if (fold_sums(s, a, &f, place, &sum))
		for (uint32_t far = 1; far < f.q; far *= 2)
			exchange_sums(s, &sum, fold_place(&f, f.me ^ far), all, all);
	send_result(s, a, &f, place);
}

void allreduce_rabenseifner(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct fold f = fold_make(a->P, place);
	struct cut c = cut_vector(a->k, f.q);
	struct sum sum = sum_in_result();

	begin_sum(s, a, &sum, true);
	if (fold_sums(s, a, &f, place, &sum)) {
		reduce_by_halving(s, &f, c, &sum);
		for (uint32_t far = 1; far < f.q; far *= 2) {
			uint32_t peer = f.me ^ far;
			struct stretch mine = block_range(&f, c, f.me, far);
			struct stretch its = block_range(&f, c, peer, far);

			schedule_step(s);
			schedule_receive(s, fold_place(&f, peer), span_out(its.at), its.len);
			schedule_send(s, fold_place(&f, peer), span_out(mine.at), mine.len);
		}
	}
	send_result(s, a, &f, place);
}

/*
 * Adds the vectors around a ring of P places. At the end, place i has the sum of block i in its
 * vector.
 */
static void sum_around_ring(struct schedule *s, struct cut c, uint32_t place, const struct sum *sum)
{
	uint32_t P = c.n, sent = (place + P - 1) % P;

	for (uint32_t i = 1; i < P; i++) {
		uint32_t next = (sent + P - 1) % P;
		struct stretch out = cut_stretch(c, sent, sent + 1);
		struct stretch in = cut_stretch(c, next, next + 1);

		schedule_step(s);
		schedule_receive(s, (place + P - 1) % P, sum->arriving, in.len);
		schedule_send(s, (place + 1) % P, span_after(sum->total, out.at), out.len);
		schedule_add(s, span_after(sum->total, in.at), sum->arriving, in.len);
		sent = next;
	}
}

void allreduce_ring(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct cut c = cut_vector(a->k, a->P);
	struct sum sum = sum_in_result();

	begin_sum(s, a, &sum, true);
	sum_around_ring(s, c, place, &sum);
	pass_around_ring(s, c, place, span_out(0));
}

/* ---- one block of the sum to each place ---- */

/* Copies the block of this place from a whole vector to its result. */
static void keep_own_block(struct schedule *s, struct cut c, uint32_t place, struct span vector)
{
	struct stretch mine = cut_stretch(c, place, place + 1);

	schedule_copy(s, span_out(0), span_after(vector, mine.at), mine.len);
}

/*
 * If in place, the result holds the input. At the end, the result begins with the block of this
 * place.
 */
void reduce_scatter_ring(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct cut c = cut_vector(a->k, a->P);
	struct sum sum = a->in_place ? sum_in_result() : sum_in_scratch(a);

	begin_sum(s, a, &sum, true);
	sum_around_ring(s, c, place, &sum);
	keep_own_block(s, c, place, sum.total);
}

void reduce_scatter_pairwise(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct cut c = cut_vector(a->k, a->P);
	struct stretch mine = cut_stretch(c, place, place + 1);
	struct span input = a->in_place ? span_out(0) : span_in(0);
	struct span total = a->in_place ? span_out(mine.at) : span_out(0);

	schedule_copy(s, total, span_after(input, mine.at), mine.len);
	for (uint32_t i = 1; i < a->P; i++) {
		struct partners p = pairwise_partners(a->P, place, i);
		struct stretch its = cut_stretch(c, p.to, p.to + 1);

		schedule_step(s);
		schedule_receive(s, p.from, span_scratch(0), mine.len);
		schedule_send(s, p.to, span_after(input, its.at), its.len);
		schedule_add(s, total, span_scratch(0), mine.len);
	}
	schedule_copy(s, span_out(0), total, mine.len);
}

/*
 * A worker that also works for another place gets the blocks of both places. Then it sends the
 * other place's block to that place.
 */
void reduce_scatter_recursive_halving(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct fold f = fold_make(a->P, place);
	struct cut c = cut_vector(a->k, a->P);
	struct sum sum = a->in_place ? sum_in_result() : sum_in_scratch(a);
	struct stretch mine = cut_stretch(c, place, place + 1);

	begin_sum(s, a, &sum, true);
	if (!fold_sums(s, a, &f, place, &sum)) {
		schedule_step(s);
		schedule_receive(s, place - 1, span_out(0), mine.len);
		return;
	}
	reduce_by_halving(s, &f, c, &sum);
	schedule_step(s);
	if (f.stands) {
		struct stretch its = cut_stretch(c, place + 1, place + 2);

		schedule_send(s, place + 1, span_after(sum.total, its.at), its.len);
	}
	keep_own_block(s, c, place, sum.total);
}

void reduce_scatter_reduce_scatter(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct cut c = cut_vector(a->k, a->P);
	struct sum sum = sum_in_scratch(a);

	sum_up_tree(s, a, place, &sum, a->in_place ? span_out(0) : span_in(0));
	scatter_blocks(s, c, place, sum.total, span_out(0));
}
