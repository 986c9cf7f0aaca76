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

/* Whether the operation adds vectors of doubles; then its sizes are multiples of 8 bytes. */
bool operation_adds(enum operation op);

/* Whether the operation has a root, which is place 0. */
bool operation_has_root(enum operation op);

/*
 * Bytes of a place's input and result, without scratch. A broadcast's input lies in place 0's
 * result. With in_place, inputs of other operations also lie in the result, at places that have a
 * result. A scatter's input never does.
 */
struct extent {
	uint64_t in, out;
};
struct extent operation_extent(enum operation op, const struct shape *a, uint32_t place);

#endif
