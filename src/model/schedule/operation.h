/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations: their names, and the sizes of their inputs and results. Pure. */
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

/* Names of the operations, ended by NULL. */
extern const char *const operation_names[];

/*
 * Returns whether the operation adds vectors of doubles. If so, its sizes are multiples of 8 bytes.
 */
bool operation_adds(enum operation op);

/* Returns whether the operation has a root, which is place 0. */
bool operation_has_root(enum operation op);

/*
 * Bytes of the input and of the result of a place, without scratch. The input of a broadcast is in
 * the result of place 0. With in_place, the inputs of other operations are also in the result, at
 * places that have a result. The input of a scatter is never in the result.
 */
struct extent {
	uint64_t in, out;
};
struct extent operation_extent(enum operation op, const struct shape *a, uint32_t place);

#endif
