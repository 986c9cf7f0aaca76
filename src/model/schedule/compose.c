/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/compose.h"

#include <stddef.h>

#define NAMED(op, name) \
	{ op, "own:" name, NULL, false, false, false, &composing }, "native:" name
#define DOES(op, length, in, out) { PART_OPERATION, OPERATION_##op, length, in, out, false }
#define DOES_IN_PLACE(op, length, in, out) \
	{ PART_OPERATION, OPERATION_##op, length, in, out, true }

static const struct composing composing;

const struct composition compositions[] = {
	{ NAMED(OPERATION_BCAST, "scatter+allgather"),
	  { DOES_IN_PLACE(SCATTER, PART_BLOCK, PART_RESULT, PART_OWN_BLOCK),
	    DOES_IN_PLACE(ALLGATHER, PART_BLOCK, PART_OWN_BLOCK, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_SCATTER, "bcast"),
	  { DOES(BCAST, PART_ALL, PART_ROOTS_INPUT, PART_ROOTS_INPUT),
	    { PART_PICK, 0, PART_ALL, PART_ROOTS_INPUT, PART_RESULT, false } }, 2 },
	{ NAMED(OPERATION_GATHER, "allgather"),
	  { DOES(ALLGATHER, PART_WHOLE, PART_INPUT, PART_ROOTS_RESULT) }, 1 },
	{ NAMED(OPERATION_ALLGATHER, "gather+bcast"),
	  { DOES(GATHER, PART_WHOLE, PART_INPUT, PART_RESULT),
	    DOES(BCAST, PART_ALL, PART_RESULT, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_ALLGATHER, "alltoall"),
	  { { PART_REPEAT, 0, PART_WHOLE, PART_INPUT, PART_SCRATCH, false },
	    DOES(ALLTOALL, PART_WHOLE, PART_SCRATCH, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_REDUCE, "allreduce"),
	  { DOES(ALLREDUCE, PART_WHOLE, PART_INPUT, PART_ROOTS_RESULT) }, 1 },
	{ NAMED(OPERATION_REDUCE, "reduce-scatter+gather"),
	  { DOES(REDUCE_SCATTER, PART_PADDED, PART_INPUT, PART_SCRATCH),
	    DOES(GATHER, PART_BLOCK, PART_SCRATCH, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_ALLREDUCE, "reduce+bcast"),
	  { DOES(REDUCE, PART_WHOLE, PART_INPUT, PART_RESULT),
	    DOES(BCAST, PART_WHOLE, PART_RESULT, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_ALLREDUCE, "reduce-scatter+allgather"),
	  { DOES(REDUCE_SCATTER, PART_PADDED, PART_INPUT, PART_OWN_BLOCK),
	    DOES_IN_PLACE(ALLGATHER, PART_BLOCK, PART_OWN_BLOCK, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_REDUCE_SCATTER, "reduce+scatter"),
	  { DOES(REDUCE, PART_WHOLE, PART_INPUT, PART_SCRATCH),
	    DOES(SCATTER, PART_BLOCK, PART_SCRATCH, PART_RESULT) }, 2 },
	{ NAMED(OPERATION_REDUCE_SCATTER, "allreduce"),
	  { DOES(ALLREDUCE, PART_WHOLE, PART_INPUT, PART_SCRATCH),
	    { PART_PICK, 0, PART_WHOLE, PART_SCRATCH, PART_RESULT, false } }, 2 },
};
const uint32_t compositions_count = sizeof(compositions) / sizeof(compositions[0]);

const struct composition *composition_of(const struct algorithm *own)
{
	return own->composing == &composing ? (const struct composition *)own : NULL;
}

unsigned composition_operations(const struct composition *c)
{
	unsigned set = 0;

	for (uint32_t i = 0; i < c->nparts; i++)
		if (c->parts[i].kind == PART_OPERATION)
			set |= 1U << c->parts[i].op;
	return set;
}

const char *composition_refusal(const struct composition *c, const struct shape *a)
{
	if (a->in_place)
		return "n/a: operations are not composed in place";
	if (operation_adds(c->own.op) && a->k % 8)
		return "n/a: sums need sizes that are multiples of 8 bytes";
	/* the blocks of a scatter have equal lengths, those of a reduce-scatter need not */
	if (c->own.op == OPERATION_REDUCE_SCATTER && c->parts[1].op == OPERATION_SCATTER &&
	    a->k % (8 * (uint64_t)a->P))
		return "n/a: needs a multiple of 8 bytes for each rank";
	return NULL;
}

/* ---- memory ---- */

static uint64_t round_up_to_double(uint64_t bytes)
{
	return (bytes + 7) & ~(uint64_t)7;
}

/* Returns the bytes of a block if k bytes are cut into P blocks of equal length. */
static uint64_t block_length(const struct shape *a)
{
	return cut_stretch(cut_vector(a->k, a->P), 0, 1).len;
}

static uint64_t part_bytes(enum part_length length, const struct shape *a)
{
	switch (length) {
	case PART_WHOLE: return a->k;
	case PART_ALL: return a->P * a->k;
	case PART_BLOCK: return block_length(a);
	case PART_PADDED: return a->P * block_length(a);
	}
	return 0;
}

static struct span part_memory(enum part_place where, const struct shape *a, uint32_t place,
			       uint32_t number)
{
	switch (where) {
	case PART_INPUT: return span_in(0);
	case PART_RESULT: return span_out(0);
	case PART_OWN_BLOCK: return span_out(number * block_length(a));
	case PART_SCRATCH: return span_scratch(0);
	case PART_ROOTS_INPUT: return place ? span_scratch(0) : span_in(0);
	case PART_ROOTS_RESULT: return place ? span_scratch(0) : span_out(0);
	}
	return span_scratch(0);
}

struct component composition_component(const struct composition *c, uint32_t i,
				       const struct shape *a, uint32_t place, uint32_t number)
{
	const struct composition_part *part = &c->parts[i];
	struct component one = {
		.kind = part->kind, .op = part->op, .copies = part->kind == PART_REPEAT ? a->P : 1,
		.shape = { .P = a->P, .k = part_bytes(part->length, a), .segment = a->segment,
			   .in_place = part->in_place, .root = a->root },
		.in = part_memory(part->in, a, place, number),
		.out = part_memory(part->out, a, place, number),
	};
	struct cut all = part->length == PART_ALL ? cut_even(a->k, a->P) : cut_vector(a->k, a->P);
	struct stretch mine = cut_stretch(all, number, number + 1);

	if (part->kind == PART_PICK) {
		one.in = span_after(one.in, mine.at);
		one.shape.k = mine.len;
	}
	return one;
}

static void need(uint64_t len[VECTORS], struct span part, uint64_t bytes)
{
	uint64_t end = bytes ? part.at + bytes : 0;

	len[part.vector] = end > len[part.vector] ? end : len[part.vector];
}

/* Adds the memory that the parts need at one place to len[]. */
static void add_memory(const struct composition *c, const struct shape *a, uint32_t place,
		       uint64_t len[VECTORS])
{
	struct extent all = operation_extent(c->own.op, a, place);

	need(len, span_in(0), all.in);
	need(len, span_out(0), all.out);
	for (uint32_t i = 0; i < c->nparts; i++) {
		struct component one = composition_component(c, i, a, place, place);
		struct extent e = { one.shape.k, one.copies * one.shape.k };

		if (one.kind == PART_OPERATION)
			e = operation_extent(one.op, &one.shape, place);
		need(len, one.in, e.in);
		need(len, one.out, e.out);
	}
}

void composition_memory(const struct composition *c, const struct shape *a, uint64_t len[VECTORS])
{
	for (int i = 0; i < VECTORS; i++)
		len[i] = 0;
	/* the root, and the place whose block is the last one */
	add_memory(c, a, 0, len);
	add_memory(c, a, a->P - 1, len);
}

static uint64_t scratch_of(const struct algorithm *own, const struct shape *a)
{
	const struct composition *c = composition_of(own);
	uint64_t len[VECTORS], most = 0;

	composition_memory(c, a, len);
	for (uint32_t i = 0; i < c->nparts; i++) {
		struct component one = composition_component(c, i, a, 0, 0);
		uint64_t bytes = 0;

		if (one.kind == PART_OPERATION)
			bytes = algorithm_scratch(algorithm_usual(one.op), &one.shape);
		most = bytes > most ? bytes : most;
	}
	return round_up_to_double(len[VECTOR_SCRATCH]) + most;
}

/* ---- schedules ---- */

/* Returns the part of the composition's memory that a part of an algorithm's memory stands for. */
static struct span map_span(const struct component *one, struct span part, uint64_t scratch)
{
	switch (part.vector) {
	case VECTOR_IN: return span_after(one->in, part.at);
	case VECTOR_OUT: return span_after(one->out, part.at);
	case VECTOR_SCRATCH: break;
	}
	return span_scratch(scratch + part.at);
}

/* Adds the moves `of` to *s. The scratch of `of` begins `scratch` bytes into that of *s. */
static void append_schedule(struct schedule *s, const struct schedule *of,
			    const struct component *one, uint64_t scratch)
{
	for (uint32_t i = 0; i < of->nsteps; i++) {
		schedule_step(s);
		for (uint32_t k = of->first[i]; k < of->first[i + 1]; k++) {
			const struct move *m = &of->moves[k];
			struct span part = map_span(one, m->part, scratch);
			struct span from = map_span(one, m->from, scratch);

			switch (m->kind) {
			case MOVE_SEND: schedule_send(s, m->peer, part, m->len); break;
			case MOVE_RECEIVE: schedule_receive(s, m->peer, part, m->len); break;
			case MOVE_COPY: schedule_copy(s, part, from, m->len); break;
			case MOVE_ADD: schedule_add(s, part, from, m->len); break;
			}
		}
	}
}

static void schedule_parts(const struct algorithm *own, const struct shape *a, uint32_t place,
			   struct schedule *s)
{
	const struct composition *c = composition_of(own);
	struct schedule made = { 0 };
	uint64_t len[VECTORS];

	composition_memory(c, a, len);
	for (uint32_t i = 0; i < c->nparts; i++) {
		struct component one = composition_component(c, i, a, place, place);

		if (one.kind != PART_OPERATION) {
			for (uint32_t k = 0; k < one.copies; k++)
				schedule_copy(s, span_after(one.out, k * one.shape.k), one.in,
					      one.shape.k);
			continue;
		}
		s->failed |= algorithm_schedule(algorithm_usual(one.op), &one.shape, place, &made);
		append_schedule(s, &made, &one, round_up_to_double(len[VECTOR_SCRATCH]));
	}
	schedule_free(&made);
}

static const char *refusal_of(const struct algorithm *own, const struct shape *a)
{
	return composition_refusal(composition_of(own), a);
}

static const struct composing composing = { refusal_of, scratch_of, schedule_parts };
