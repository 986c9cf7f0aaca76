/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/algorithms.h"

#include <string.h>

#include "model/schedule/moving.h"
#include "model/schedule/reducing.h"

/* Algorithms that need no scratch, and those that need some. */
#define DIRECT(op, name, build) { OPERATION_##op, name, build, false, false, true, NULL }
#define SCRATCH(op, name, build) { OPERATION_##op, name, build, false, false, false, NULL }

const struct algorithm own_algorithms[] = {
	DIRECT(BARRIER, "dissemination", barrier_dissemination),
	DIRECT(BARRIER, "central", barrier_central),
	DIRECT(BARRIER, "tree", barrier_tree),
	DIRECT(BARRIER, "recursive-doubling", barrier_recursive_doubling),
	DIRECT(BCAST, "linear", bcast_linear),
	DIRECT(BCAST, "binomial", bcast_binomial),
	{ OPERATION_BCAST, "chain", bcast_chain, false, true, true, NULL },
	DIRECT(BCAST, "scatter+ring", bcast_scatter_ring),
	DIRECT(SCATTER, "linear", scatter_linear),
	SCRATCH(SCATTER, "binomial", scatter_binomial),
	DIRECT(GATHER, "linear", gather_linear),
	SCRATCH(GATHER, "binomial", gather_binomial),
	DIRECT(ALLGATHER, "ring", allgather_ring),
	{ OPERATION_ALLGATHER, "recursive-doubling", allgather_recursive_doubling, true, false,
	  true, NULL },
	SCRATCH(ALLGATHER, "bruck", allgather_bruck),
	SCRATCH(ALLGATHER, "gather+bcast", allgather_gather_bcast),
	DIRECT(ALLTOALL, "linear", alltoall_linear),
	DIRECT(ALLTOALL, "pairwise", alltoall_pairwise),
	SCRATCH(ALLTOALL, "bruck", alltoall_bruck),
	SCRATCH(REDUCE, "linear", reduce_linear),
	SCRATCH(REDUCE, "binomial", reduce_binomial),
	SCRATCH(REDUCE, "rabenseifner", reduce_rabenseifner),
	SCRATCH(ALLREDUCE, "reduce+bcast", allreduce_reduce_bcast),
	SCRATCH(ALLREDUCE, "recursive-doubling", allreduce_recursive_doubling),
	SCRATCH(ALLREDUCE, "rabenseifner", allreduce_rabenseifner),
	SCRATCH(ALLREDUCE, "ring", allreduce_ring),
	SCRATCH(REDUCE_SCATTER, "ring", reduce_scatter_ring),
	SCRATCH(REDUCE_SCATTER, "pairwise", reduce_scatter_pairwise),
	SCRATCH(REDUCE_SCATTER, "recursive-halving", reduce_scatter_recursive_halving),
	SCRATCH(REDUCE_SCATTER, "reduce+scatter", reduce_scatter_reduce_scatter),
};
const uint32_t own_algorithms_count = sizeof(own_algorithms) / sizeof(own_algorithms[0]);

const struct algorithm *algorithm_find(enum operation op, const char *name)
{
	for (uint32_t i = 0; i < own_algorithms_count; i++)
		if (own_algorithms[i].op == op && !strcmp(own_algorithms[i].name, name))
			return &own_algorithms[i];
	return NULL;
}

const struct algorithm *algorithm_usual(enum operation op)
{
	static const char *const names[] = {
		[OPERATION_BARRIER] = "dissemination", [OPERATION_BCAST] = "binomial",
		[OPERATION_SCATTER] = "binomial", [OPERATION_GATHER] = "binomial",
		[OPERATION_ALLGATHER] = "ring", [OPERATION_ALLTOALL] = "linear",
		[OPERATION_REDUCE] = "binomial", [OPERATION_ALLREDUCE] = "ring",
		[OPERATION_REDUCE_SCATTER] = "ring",
	};

	return algorithm_find(op, names[op]);
}

const char *algorithm_refusal(const struct algorithm *of, const struct shape *a)
{
	if (of->composing)
		return of->composing->refusal(of, a);
	if (of->power_of_two && places_floor_power(a->P) != a->P)
		return "n/a: this algorithm needs a power of two as number of ranks";
	if (operation_adds(of->op) && a->k % 8)
		return "n/a: sums need sizes that are multiples of 8 bytes";
	if (of->op == OPERATION_ALLTOALL && a->in_place)
		return "n/a: no algorithm of alltoall works in place";
	return NULL;
}

/*
 * Bruck's alltoall needs scratch for all blocks, and for two copies of half the blocks: one to send
 * and one to receive.
 */
uint64_t algorithm_scratch(const struct algorithm *of, const struct shape *a)
{
	if (of->composing)
		return of->composing->scratch(of, a);
	if (of->direct)
		return 0;
	if (of->op == OPERATION_ALLTOALL)
		return (2 * (uint64_t)a->P + 1) * a->k;
	return operation_adds(of->op) ? 2 * a->k : a->P * a->k;
}

int algorithm_schedule(const struct algorithm *of, const struct shape *a, uint32_t place,
		       struct schedule *s)
{
	schedule_reset(s);
	if (of->composing)
		of->composing->schedule(of, a, place, s);
	else
		of->build(s, a, place);
	return s->failed ? -1 : 0;
}
