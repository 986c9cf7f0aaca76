/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that are composed of other operations, as data: a reduce followed by a bcast is an
 * allreduce. Each composition is the right side of a performance guideline. Pure (COLLECTIVES.md
 * section 5).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_COMPOSE_H
#define NETBENCH_MODEL_SCHEDULE_COMPOSE_H

#include "model/schedule/algorithms.h"

/* Most parts of a composition. */
#define COMPONENTS 2

/* Where a part of a composition finds its input or puts its result. */
enum part_place {
	PART_INPUT,		/* the input of the composition */
	PART_RESULT,		/* its result */
	PART_OWN_BLOCK,		/* the place's own block in a result of blocks */
	PART_SCRATCH,
	PART_ROOTS_INPUT,	/* the input at place 0, scratch at the other places */
	PART_ROOTS_RESULT,	/* the result at place 0, scratch at the other places */
};

/*
 * Bytes of an operation: k of the shape, P * k, a block of a vector that is cut into P equal
 * blocks, or P such blocks. If P blocks are longer than k, the vector is padded.
 */
enum part_length { PART_WHOLE, PART_ALL, PART_BLOCK, PART_PADDED };

/*
 * PART_OPERATION is an operation. PART_REPEAT copies the input to P adjacent blocks. PART_PICK
 * copies the place's own block of the input to the result.
 */
enum part_kind { PART_OPERATION, PART_REPEAT, PART_PICK };

/* A part of a composition, as data. */
struct composition_part {
	enum part_kind kind;
	enum operation op;
	enum part_length length;
	enum part_place in, out;
	bool in_place;		/* the own block of each place is already in the result */
};

struct composition {
	/* the composition with netbench's algorithms (algorithm_usual); its name is "own:A+B" */
	struct algorithm own;
	const char *native; /* name of the composition with the transport's operations */
	struct composition_part parts[COMPONENTS];
	uint32_t nparts;
};

/* All compositions. The compositions of one operation are adjacent. */
extern const struct composition compositions[];
extern const uint32_t compositions_count;

/*
 * A part of a composition at one place. PART_OPERATION: an operation of shape `shape`, from the
 * memory `in` to the memory `out`; a bcast works in `out`. Else: `copies` copies of shape.k bytes
 * at `in` to adjacent blocks at `out`.
 */
struct component {
	enum part_kind kind;
	enum operation op;
	struct shape shape;
	struct span in, out;
	uint32_t copies;
};

/* Returns the composition whose member `own` this algorithm is, or NULL if it is none. */
const struct composition *composition_of(const struct algorithm *own);

/*
 * Returns part i of a composition at a place. `number` is the number under which the place's blocks
 * are stored: the place itself, or its rank if operations number blocks by rank.
 */
struct component composition_component(const struct composition *c, uint32_t i,
				       const struct shape *a, uint32_t place, uint32_t number);

/* Returns why the composition cannot run with this shape, "n/a: ...", or NULL if it can. */
const char *composition_refusal(const struct composition *c, const struct shape *a);

/* Returns the set of the composition's operations; bit i is operation i. */
unsigned composition_operations(const struct composition *c);

/*
 * Sets len[] to the bytes of each vector that the parts need, the most of any place. The
 * vectors of input and result may be longer than operation_extent, because of the padding. Scratch
 * of the parts' algorithms is not included.
 */
void composition_memory(const struct composition *c, const struct shape *a,
			uint64_t len[VECTORS]);

#endif
