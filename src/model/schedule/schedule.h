/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of one place in a collective operation, as data. Steps run one after the other. The
 * moves of a step start together. Pure. Lengths and offsets are in bytes. Places are ranks relative
 * to the root: place = (rank - root) mod P (COLLECTIVES.md section 1).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_SCHEDULE_H
#define NETBENCH_MODEL_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* A place's memory: its input, its result, and scratch for intermediate data. */
enum vector { VECTOR_IN, VECTOR_OUT, VECTOR_SCRATCH };
#define VECTORS 3

/* The start of a part of a vector. */
struct span {
	enum vector vector;
	uint64_t at;
};

/*
 * SEND and RECEIVE are the two ends of messages. The k-th send from one place to another matches
 * the k-th receive there, of the same length. COPY and ADD are local: they copy `from` to `part`,
 * or add it to `part` as doubles. Local moves are in separate steps and run in order. The two parts
 * of a copy may overlap.
 */
enum move_kind { MOVE_SEND, MOVE_RECEIVE, MOVE_COPY, MOVE_ADD };

struct move {
	enum move_kind kind;
	uint32_t peer; /* the other place of a message */
	struct span part, from; /* from: only for COPY and ADD */
	uint64_t len;
};

/* All moves of a place in order. Step i consists of the moves first[i] to first[i + 1] - 1. */
struct schedule {
	struct move *moves;
	uint32_t *first; /* nsteps + 1 indices into moves */
	uint32_t nmoves, nsteps;
	uint32_t room_moves, room_steps;
	uint64_t scratch; /* bytes that VECTOR_SCRATCH needs */
	bool failed; /* out of memory */
};

/* Removes all moves but keeps the memory. A zeroed struct is also an empty schedule. */
void schedule_reset(struct schedule *s);
void schedule_free(struct schedule *s);

/* Begins a new step, to which the next moves belong. A step without moves is dropped. */
void schedule_step(struct schedule *s);

/*
 * Adds a message to the current step. If memory runs out, this and the other functions that add
 * moves set `failed`.
 */
void schedule_send(struct schedule *s, uint32_t to, struct span part, uint64_t len);
void schedule_receive(struct schedule *s, uint32_t from, struct span part, uint64_t len);

/*
 * Adds a local move. The move begins a new step, unless the current step has only local moves. Adds
 * nothing if len is 0, or if both parts of a copy are the same.
 */
void schedule_copy(struct schedule *s, struct span to, struct span from, uint64_t len);
void schedule_add(struct schedule *s, struct span to, struct span from, uint64_t len);

/* Returns the part that begins `bytes` bytes after s. */
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
