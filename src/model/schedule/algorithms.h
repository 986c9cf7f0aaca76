/* SPDX-License-Identifier: Apache-2.0 */
/* netbench's own algorithms of collective operations, by name (COLLECTIVES.md section 1). Pure. */
#ifndef NETBENCH_MODEL_SCHEDULE_ALGORITHMS_H
#define NETBENCH_MODEL_SCHEDULE_ALGORITHMS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/schedule/operation.h"
#include "model/schedule/schedule.h"

struct algorithm;

/* How an algorithm is composed of others; the functions do the work of those below. */
struct composing {
	const char *(*refusal)(const struct algorithm *of, const struct shape *a);
	uint64_t (*scratch)(const struct algorithm *of, const struct shape *a);
	/* adds the moves of one place to an empty schedule */
	void (*schedule)(const struct algorithm *of, const struct shape *a, uint32_t place,
			 struct schedule *s);
};

struct algorithm {
	enum operation op;
	const char *name;
	/* adds the moves of one place to an empty schedule */
	void (*build)(struct schedule *s, const struct shape *a, uint32_t place);
	bool power_of_two; /* works only if the number of places is a power of two */
	bool segments; /* splits vectors into segments of shape.segment bytes */
	bool direct; /* needs no scratch */
	/* not NULL: the algorithm is a composition (compose.h) and has no `build` */
	const struct composing *composing;
};

/* All algorithms. The algorithms of one operation are adjacent. */
extern const struct algorithm own_algorithms[];
extern const uint32_t own_algorithms_count;

/* Finds an algorithm of an operation by name. Returns NULL if there is none. */
const struct algorithm *algorithm_find(enum operation op, const char *name);

/* Returns the algorithm of an operation that is used if nothing is known of the network. */
const struct algorithm *algorithm_usual(enum operation op);

/* Returns why the algorithm cannot run with this shape, "n/a: ...", or NULL if it can. */
const char *algorithm_refusal(const struct algorithm *of, const struct shape *a);

/* Returns an upper bound on the bytes of scratch that any place needs with this shape. */
uint64_t algorithm_scratch(const struct algorithm *of, const struct shape *a);

/*
 * Makes the schedule of one place, which replaces the content of *s. Returns 0, or -1 if memory
 * runs out.
 */
int algorithm_schedule(const struct algorithm *of, const struct shape *a, uint32_t place,
		       struct schedule *s);

#endif
