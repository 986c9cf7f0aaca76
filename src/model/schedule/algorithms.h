/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective operations and netbench's own algorithms for them, by name (COLLECTIVES.md section 1).
 * Pure.
 */
#ifndef NETBENCH_MODEL_SCHEDULE_ALGORITHMS_H
#define NETBENCH_MODEL_SCHEDULE_ALGORITHMS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/schedule/places.h"
#include "model/schedule/schedule.h"

enum operation {
	OPERATION_BARRIER,
	OPERATION_BCAST,
	OPERATION_SCATTER,
	OPERATION_GATHER,
	OPERATION_ALLGATHER,
	OPERATION_ALLTOALL,
	OPERATION_REDUCE,
	OPERATION_ALLREDUCE,
	OPERATION_REDUCE_SCATTER,
};
#define OPERATIONS 9

/* Names of the operations; NULL ends them. */
extern const char *const operation_names[];

/* Whether it adds vectors of doubles: its sizes are multiples of 8 bytes. */
bool operation_adds(enum operation op);

/* Whether it has a root: place 0. */
bool operation_has_root(enum operation op);

/*
 * Bytes of the input and of the result of a place, without the scratch. A broadcast's input lies in
 * place 0's result; with in_place others' inputs do, too, where that makes a difference.
 */
struct extent {
	uint64_t in, out;
};
struct extent operation_extent(enum operation op, const struct shape *a, uint32_t place);

struct algorithm {
	enum operation op;
	const char *name;
	/* adds what a place does to an empty schedule */
	void (*build)(struct schedule *s, const struct shape *a, uint32_t place);
	bool power_of_two; /* only for such numbers of places */
	bool segments; /* makes use of shape.segment */
};

/* All of them, those of an operation together. */
extern const struct algorithm algorithms[];
extern const uint32_t algorithms_count;

/* Finds an operation's algorithm by its name; NULL without one. */
const struct algorithm *algorithm_find(enum operation op, const char *name);

/* Why it cannot be done with that shape, "n/a: ..."; NULL: it can. */
const char *algorithm_cannot(const struct algorithm *of, const struct shape *a);

/* Makes a place's schedule, in place of what was there. 0, or -1 without memory. */
int algorithm_schedule(const struct algorithm *of, const struct shape *a, uint32_t place,
		       struct schedule *s);

#endif
