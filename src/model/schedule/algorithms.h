/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Netbench's own algorithms of collective operations, by name (COLLECTIVES.md section 1). Pure.
 */
#ifndef NETBENCH_MODEL_SCHEDULE_ALGORITHMS_H
#define NETBENCH_MODEL_SCHEDULE_ALGORITHMS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/schedule/operation.h"
#include "model/schedule/schedule.h"

struct algorithm {
	enum operation op;
	const char *name;
	/* adds what a place does to an empty schedule */
	void (*build)(struct schedule *s, const struct shape *a, uint32_t place);
	bool power_of_two; /* only for such numbers of places */
	bool segments; /* makes use of shape.segment */
	bool direct; /* needs no scratch */
};

/* All of them, those of an operation together. */
extern const struct algorithm own_algorithms[];
extern const uint32_t own_algorithms_count;

/* Finds an operation's algorithm by its name; NULL without one. */
const struct algorithm *algorithm_find(enum operation op, const char *name);

/* Why it cannot be done with that shape, "n/a: ..."; NULL: it can. */
const char *algorithm_cannot(const struct algorithm *of, const struct shape *a);

/* A bound on the bytes of scratch at any place of that shape. */
uint64_t algorithm_scratch(const struct algorithm *of, const struct shape *a);

/* Makes a place's schedule, in place of what was there. 0, or -1 without memory. */
int algorithm_schedule(const struct algorithm *of, const struct shape *a, uint32_t place,
		       struct schedule *s);

#endif
