/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/moving.h"

/* ---- barriers: messages of 0 bytes ---- */

static const struct span nowhere = { VECTOR_OUT, 0 };

void barrier_dissemination(struct schedule *s, const struct shape *a, uint32_t place)
{
	for (uint64_t far = 1; far < a->P; far *= 2) {
		schedule_step(s);
		schedule_receive(s, (uint32_t)((place + a->P - far) % a->P), nowhere, 0);
		schedule_send(s, (uint32_t)((place + far) % a->P), nowhere, 0);
	}
}

void barrier_central(struct schedule *s, const struct shape *a, uint32_t place)
{
	schedule_step(s);
	if (place)
		schedule_send(s, 0, nowhere, 0);
	for (uint32_t v = 1; v < a->P && !place; v++)
		schedule_receive(s, v, nowhere, 0);
	bcast_linear(s, &(struct shape){ .P = a->P }, place);
}

void barrier_tree(struct schedule *s, const struct shape *a, uint32_t place)
{
	gather_binomial(s, &(struct shape){ .P = a->P }, place);
	bcast_down_tree(s, a->P, place, nowhere, 0);
}

void barrier_recursive_doubling(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct fold f = fold_make(a->P, place);

	schedule_step(s);
	if (f.waits) {
		schedule_send(s, place - 1, nowhere, 0);
		schedule_step(s);
		schedule_receive(s, place - 1, nowhere, 0);
		return;
	}
	if (f.stands)
		schedule_receive(s, place + 1, nowhere, 0);
	for (uint32_t far = 1; far < f.q; far *= 2) {
		uint32_t peer = fold_place(&f, f.me ^ far);

		schedule_step(s);
		schedule_receive(s, peer, nowhere, 0);
		schedule_send(s, peer, nowhere, 0);
	}
	schedule_step(s);
	if (f.stands)
		schedule_send(s, place + 1, nowhere, 0);
}

/* ---- one vector to all places ---- */

void bcast_linear(struct schedule *s, const struct shape *a, uint32_t place)
{
	schedule_step(s);
	if (place)
		schedule_receive(s, 0, span_out(0), a->k);
	for (uint32_t v = 1; v < a->P && !place; v++)
		schedule_send(s, v, span_out(0), a->k);
}

/*
 * Returns the distance from v to its child with the largest subtree in a binomial tree; 0 if v has
 * no child. Half of it is the distance to the next child.
 */
static uint32_t largest_child_distance(uint32_t P, uint32_t v)
{
	uint32_t far = places_floor_power(P);

	if (v)
		far = (v & -v) / 2;
	while (far && far >= P - v)
		far /= 2;
	return far;
}

void bcast_down_tree(struct schedule *s, uint32_t P, uint32_t place, struct span part, uint64_t len)
{
	schedule_step(s);
	if (place)
		schedule_receive(s, places_parent(place), part, len);
	schedule_step(s);
	for (uint32_t far = largest_child_distance(P, place); far; far /= 2)
		schedule_send(s, place + far, part, len);
}

void bcast_binomial(struct schedule *s, const struct shape *a, uint32_t place)
{
	bcast_down_tree(s, a->P, place, span_out(0), a->k);
}

void bcast_chain(struct schedule *s, const struct shape *a, uint32_t place)
{
	uint64_t most = a->segment ? a->segment : a->k, at = 0;

	do {
		uint64_t left = a->k - at, len = left < most ? left : most;

		schedule_step(s);
		if (place)
			schedule_receive(s, place - 1, span_out(at), len);
		schedule_step(s);
		if (place + 1 < a->P)
			schedule_send(s, place + 1, span_out(at), len);
		at += len;
	} while (at < a->k);
}

void pass_around_ring(struct schedule *s, struct cut c, uint32_t place, struct span base)
{
	uint32_t P = c.n, mine = place;

	for (uint32_t i = 1; i < P; i++) {
		uint32_t next = (mine + P - 1) % P;
		struct stretch out = cut_stretch(c, mine, mine + 1);
		struct stretch in = cut_stretch(c, next, next + 1);

		schedule_step(s);
		schedule_receive(s, (place + P - 1) % P, span_after(base, in.at), in.len);
		schedule_send(s, (place + 1) % P, span_after(base, out.at), out.len);
		mine = next;
	}
}

void bcast_scatter_ring(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct cut c = cut_vector(a->k, a->P);
	struct span mine = span_out(cut_stretch(c, place, place + 1).at);

	scatter_blocks(s, c, place, mine, mine);
	pass_around_ring(s, c, place, span_out(0));
}

/* ---- one block from place 0 to each place, or back ---- */

void scatter_linear(struct schedule *s, const struct shape *a, uint32_t place)
{
	schedule_step(s);
	if (place)
		schedule_receive(s, 0, span_out(0), a->k);
	for (uint32_t v = 1; v < a->P && !place; v++)
		schedule_send(s, v, span_in(v * a->k), a->k);
	if (!place && !a->in_place)
		schedule_copy(s, span_out(0), span_in(0), a->k);
}

void scatter_blocks(struct schedule *s, struct cut c, uint32_t place, struct span here,
		    struct span own)
{
	uint32_t size = places_subtree(c.n, place);
	struct stretch all = cut_stretch(c, place, place + size);

	schedule_step(s);
	if (place)
		schedule_receive(s, places_parent(place), size > 1 ? here : own, all.len);
	schedule_step(s);
	for (uint32_t far = largest_child_distance(c.n, place); far; far /= 2) {
		uint32_t child = place + far;
		struct stretch its = cut_stretch(c, child, child + places_subtree(c.n, child));

		schedule_send(s, child, span_after(here, its.at - all.at), its.len);
	}
	if (!place || size > 1)
		schedule_copy(s, own, here, cut_stretch(c, place, place + 1).len);
}

void scatter_binomial(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct span here = place ? span_scratch(0) : span_in(0);

	scatter_blocks(s, cut_even(a->k, a->P), place, here,
		       !place && a->in_place ? here : span_out(0));
}

void gather_linear(struct schedule *s, const struct shape *a, uint32_t place)
{
	schedule_step(s);
	if (place)
		schedule_send(s, 0, span_in(0), a->k);
	for (uint32_t v = 1; v < a->P && !place; v++)
		schedule_receive(s, v, span_out(v * a->k), a->k);
	if (!place && !a->in_place)
		schedule_copy(s, span_out(0), span_in(0), a->k);
}

void gather_blocks(struct schedule *s, struct cut c, uint32_t place, struct span here,
		   struct span own)
{
	uint32_t size = places_subtree(c.n, place);
	struct stretch all = cut_stretch(c, place, place + size);

	if (!place || size > 1)
		schedule_copy(s, here, own, cut_stretch(c, place, place + 1).len);
	for (uint32_t far = 1; far < size; far *= 2) {
		uint32_t child = place + far;
		struct stretch its = cut_stretch(c, child, child + places_subtree(c.n, child));

		schedule_step(s);
		schedule_receive(s, child, span_after(here, its.at - all.at), its.len);
	}
	schedule_step(s);
	if (place)
		schedule_send(s, places_parent(place), size > 1 ? here : own, all.len);
}

void gather_binomial(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct span here = place ? span_scratch(0) : span_out(0);

	gather_blocks(s, cut_even(a->k, a->P), place, here,
		      !place && a->in_place ? here : span_in(0));
}

/* ---- a block of each place to all places ---- */

static void copy_own_block(struct schedule *s, const struct shape *a, uint32_t place)
{
	if (!a->in_place)
		schedule_copy(s, span_out(place * a->k), span_in(0), a->k);
}

void allgather_ring(struct schedule *s, const struct shape *a, uint32_t place)
{
	copy_own_block(s, a, place);
	pass_around_ring(s, cut_even(a->k, a->P), place, span_out(0));
}

void allgather_recursive_doubling(struct schedule *s, const struct shape *a, uint32_t place)
{
	copy_own_block(s, a, place);
	for (uint32_t far = 1; far < a->P; far *= 2) {
		uint32_t mine = place - place % far, peer = place ^ far, its = peer - peer % far;

		schedule_step(s);
		schedule_receive(s, peer, span_out(its * a->k), far * a->k);
		schedule_send(s, peer, span_out(mine * a->k), far * a->k);
	}
}

/* Until the final copies, block j of the scratch is the block that place + j contributes. */
void allgather_bruck(struct schedule *s, const struct shape *a, uint32_t place)
{
	uint64_t k = a->k, wrap = a->P - place;

	schedule_copy(s, span_scratch(0), a->in_place ? span_out(place * k) : span_in(0), k);
	for (uint32_t far = 1; far < a->P; far *= 2) {
		uint64_t n = far < a->P - far ? far : a->P - far;

		schedule_step(s);
		schedule_receive(s, (place + far) % a->P, span_scratch(far * k), n * k);
		schedule_send(s, (place + a->P - far) % a->P, span_scratch(0), n * k);
	}
	schedule_copy(s, span_out(place * k), span_scratch(0), wrap * k);
	schedule_copy(s, span_out(0), span_scratch(wrap * k), place * k);
}

/* Place 0 gathers all blocks in its result and broadcasts it. */
void allgather_gather_bcast(struct schedule *s, const struct shape *a, uint32_t place)
{
	struct span own = a->in_place ? span_out(place * a->k) : span_in(0);

	gather_blocks(s, cut_even(a->k, a->P), place, place ? span_scratch(0) : span_out(0), own);
	bcast_down_tree(s, a->P, place, span_out(0), a->P * a->k);
}

/* ---- a separate block from each place to each ---- */

static void copy_block_to_self(struct schedule *s, const struct shape *a, uint32_t place)
{
	schedule_copy(s, span_out(place * a->k), span_in(place * a->k), a->k);
}

void alltoall_linear(struct schedule *s, const struct shape *a, uint32_t place)
{
	copy_block_to_self(s, a, place);
	schedule_step(s);
	for (uint32_t i = 1; i < a->P; i++) {
		uint32_t from = (place + a->P - i) % a->P;

		schedule_receive(s, from, span_out(from * a->k), a->k);
	}
	for (uint32_t i = 1; i < a->P; i++) {
		uint32_t to = (place + i) % a->P;

		schedule_send(s, to, span_in(to * a->k), a->k);
	}
}

struct partners pairwise_partners(uint32_t P, uint32_t place, uint32_t step)
{
	if (places_floor_power(P) == P)
		return (struct partners){ place ^ step, place ^ step };
	return (struct partners){ (place + step) % P, (place + P - step) % P };
}

void alltoall_pairwise(struct schedule *s, const struct shape *a, uint32_t place)
{
	copy_block_to_self(s, a, place);
	for (uint32_t i = 1; i < a->P; i++) {
		struct partners p = pairwise_partners(a->P, place, i);

		schedule_step(s);
		schedule_receive(s, p.from, span_out(p.from * a->k), a->k);
		schedule_send(s, p.to, span_in(p.to * a->k), a->k);
	}
}

/*
 * Copies the blocks whose number j has this bit from the scratch to `packed`, or with `back` from
 * `packed` to the scratch. Returns the number of these blocks.
 */
static uint64_t pack_blocks(struct schedule *s, const struct shape *a, uint32_t bit,
			    struct span packed, bool back)
{
	uint64_t n = 0;

	for (uint32_t j = bit; j < a->P; j++) {
		struct span block = span_scratch(j * a->k);
		struct span there = span_after(packed, n * a->k);

		if (!(j & bit))
			continue;
		schedule_copy(s, back ? block : there, back ? there : block, a->k);
		n++;
	}
	return n;
}

/*
 * Block j of the scratch is for place + j. For each bit that is set in j, the block moves `bit`
 * places further.
 */
void alltoall_bruck(struct schedule *s, const struct shape *a, uint32_t place)
{
	uint64_t k = a->k, wrap = a->P - place, half = (a->P + 1) / 2;
	struct span sent = span_scratch(a->P * k), got = span_after(sent, half * k);

	schedule_copy(s, span_scratch(0), span_in(place * k), wrap * k);
	schedule_copy(s, span_scratch(wrap * k), span_in(0), place * k);
	for (uint32_t bit = 1; bit < a->P; bit *= 2) {
		uint64_t n = pack_blocks(s, a, bit, sent, false);

		schedule_step(s);
		schedule_receive(s, (place + a->P - bit) % a->P, got, n * k);
		schedule_send(s, (place + bit) % a->P, sent, n * k);
		pack_blocks(s, a, bit, got, true);
	}
	for (uint32_t j = 0; j < a->P; j++)
		schedule_copy(s, span_out((place + a->P - j) % a->P * k), span_scratch(j * k), k);
}
