/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one place does in a collective operation, as data: steps, one after the other, and in each
 * the moves that are begun together. Pure. Lengths and offsets are bytes. Places are ranks relative
 * to the root: place = (rank - root) mod P (COLLECTIVES.md section 1).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_SCHEDULE_H
#define NETBENCH_MODEL_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place's memory: its input, its result, and room for what is on its way. */
enum vector { VECTOR_IN, VECTOR_OUT, VECTOR_SCRATCH };
#define VECTORS 3

/* Where a part of a vector begins. */
struct span {
	enum vector vector;
	uint64_t at;
};

/*
 * SEND and RECEIVE are messages; the k-th send from one place to another matches the k-th receive
 * there, and lengths agree. COPY and ADD are local: they copy `from` to `part`, or add it to
 * `part` as doubles. They stand in steps of their own, in order. Parts of a copy may overlap.
 */
enum move_kind { MOVE_SEND, MOVE_RECEIVE, MOVE_COPY, MOVE_ADD };

struct move {
	enum move_kind kind;
	uint32_t peer; /* of a message: its place */
	struct span part, from; /* from: of COPY and ADD */
	uint64_t len;
};

/* All moves of a place in order. Step i has those from first[i] on, up to first[i + 1]. */
struct schedule {
	struct move *moves;
	uint32_t *first; /* nsteps + 1 */
	uint32_t nmoves, nsteps;
	uint32_t room_moves, room_steps;
	uint64_t scratch; /* bytes that VECTOR_SCRATCH needs */
	bool failed; /* out of memory */
};

/* Empties a schedule, keeping its memory; a zeroed struct is empty. */
void schedule_reset(struct schedule *s);
void schedule_free(struct schedule *s);

/* Moves added next belong to a new step. A step that stays empty does not count. */
void schedule_step(struct schedule *s);

/* Adds a message to the step. Without memory these functions set `failed`. */
void schedule_send(struct schedule *s, uint32_t to, struct span part, uint64_t len);
void schedule_receive(struct schedule *s, uint32_t from, struct span part, uint64_t len);

/*
 * Adds a local move. It begins a new step, unless the step so far has local moves alone. No move
 * for len 0 or, of a copy, onto itself.
 */
void schedule_copy(struct schedule *s, struct span to, struct span from, uint64_t len);
void schedule_add(struct schedule *s, struct span to, struct span from, uint64_t len);

/* The part that begins `bytes` further on. */
static inline struct span span_after(struct span s, uint64_t bytes)
{
	return (struct span){ s.vector, s.at + bytes };
}

static inline struct span span_in(uint64_t at)
{
	return (struct span){ VECTOR_IN, at };
}

static inline struct span span_out(uint64_t at)
{
	return (struct span){ VECTOR_OUT, at };
}

static inline struct span span_scratch(uint64_t at)
{
	return (struct span){ VECTOR_SCRATCH, at };
}

#endif
