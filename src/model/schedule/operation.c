/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/operation.h"

#include <stddef.h>

const char *const operation_names[] = {
	"barrier",  "bcast",  "scatter",   "gather",	     "allgather",
	"alltoall", "reduce", "allreduce", "reduce-scatter", NULL,
};

bool operation_adds(enum operation op)
{
	return op == OPERATION_REDUCE || op == OPERATION_ALLREDUCE ||
	       op == OPERATION_REDUCE_SCATTER;
}

bool operation_has_root(enum operation op)
{
	return op == OPERATION_BCAST || op == OPERATION_SCATTER || op == OPERATION_GATHER ||
	       op == OPERATION_REDUCE;
}

struct extent operation_extent(enum operation op, const struct shape *a, uint32_t place)
{
	uint64_t k = a->k, all = a->P * k,
		 mine = cut_stretch(cut_vector(k, a->P), place, place + 1).len;

	switch (op) {
	case OPERATION_BARRIER:
		return (struct extent){ 0, 0 };
	case OPERATION_BCAST:
		return (struct extent){ 0, k };
	case OPERATION_SCATTER:
		return (struct extent){ place ? 0 : all, k };
	case OPERATION_GATHER:
		return (struct extent){ k, place ? 0 : all };
	case OPERATION_ALLGATHER:
		return (struct extent){ k, all };
	case OPERATION_ALLTOALL:
		return (struct extent){ all, all };
	case OPERATION_REDUCE:
		return (struct extent){ k, place ? 0 : k };
	case OPERATION_ALLREDUCE:
		return (struct extent){ k, k };
	case OPERATION_REDUCE_SCATTER:
		return (struct extent){ k, a->in_place ? k : mine };
	}
	return (struct extent){ 0, 0 };
}
