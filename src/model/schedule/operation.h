/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations: their names, and what they have of memory. Pure. */
#ifndef NETBENCH_MODEL_SCHEDULE_OPERATION_H
#define NETBENCH_MODEL_SCHEDULE_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/schedule/places.h"

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

#endif
