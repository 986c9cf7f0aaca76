/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/algorithms.h"

#include <string.h>

#include "model/schedule/moving.h"
#include "model/schedule/reducing.h"

const struct algorithm own_algorithms[] = {
	{ OPERATION_BARRIER, "dissemination", barrier_dissemination, false, false, true },
	{ OPERATION_BARRIER, "central", barrier_central, false, false, true },
	{ OPERATION_BARRIER, "tree", barrier_tree, false, false, true },
	{ OPERATION_BARRIER, "recursive-doubling", barrier_recursive_doubling, false, false, true },
	{ OPERATION_BCAST, "linear", bcast_linear, false, false, true },
	{ OPERATION_BCAST, "binomial", bcast_binomial, false, false, true },
	{ OPERATION_BCAST, "chain", bcast_chain, false, true, true },
	{ OPERATION_BCAST, "scatter+ring", bcast_scatter_ring, false, false, true },
	{ OPERATION_SCATTER, "linear", scatter_linear, false, false, true },
	{ OPERATION_SCATTER, "binomial", scatter_binomial, false, false, false },
	{ OPERATION_GATHER, "linear", gather_linear, false, false, true },
	{ OPERATION_GATHER, "binomial", gather_binomial, false, false, false },
	{ OPERATION_ALLGATHER, "ring", allgather_ring, false, false, true },
	{ OPERATION_ALLGATHER, "recursive-doubling", allgather_recursive_doubling, true, false,
	  true },
	{ OPERATION_ALLGATHER, "bruck", allgather_bruck, false, false, false },
	{ OPERATION_ALLGATHER, "gather+bcast", allgather_gather_bcast, false, false, false },
	{ OPERATION_ALLTOALL, "linear", alltoall_linear, false, false, true },
	{ OPERATION_ALLTOALL, "pairwise", alltoall_pairwise, false, false, true },
	{ OPERATION_ALLTOALL, "bruck", alltoall_bruck, false, false, false },
	{ OPERATION_REDUCE, "linear", reduce_linear, false, false, false },
	{ OPERATION_REDUCE, "binomial", reduce_binomial, false, false, false },
	{ OPERATION_REDUCE, "rabenseifner", reduce_rabenseifner, false, false, false },
	{ OPERATION_ALLREDUCE, "reduce+bcast", allreduce_reduce_bcast, false, false, false },
	{ OPERATION_ALLREDUCE, "recursive-doubling", allreduce_recursive_doubling, false, false,
	  false },
	{ OPERATION_ALLREDUCE, "rabenseifner", allreduce_rabenseifner, false, false, false },
	{ OPERATION_ALLREDUCE, "ring", allreduce_ring, false, false, false },
	{ OPERATION_REDUCE_SCATTER, "ring", reduce_scatter_ring, false, false, false },
	{ OPERATION_REDUCE_SCATTER, "pairwise", reduce_scatter_pairwise, false, false, false },
	{ OPERATION_REDUCE_SCATTER, "recursive-halving", reduce_scatter_recursive_halving, false,
	  false, false },
	{ OPERATION_REDUCE_SCATTER, "reduce+scatter", reduce_scatter_reduce_scatter, false, false,
	  false },
};
const uint32_t own_algorithms_count = sizeof(own_algorithms) / sizeof(own_algorithms[0]);

const struct algorithm *algorithm_find(enum operation op, const char *name)
{
	for (uint32_t i = 0; i < own_algorithms_count; i++)
		if (own_algorithms[i].op == op && !strcmp(own_algorithms[i].name, name))
			return &own_algorithms[i];
	return NULL;
}

const char *algorithm_refusal(const struct algorithm *of, const struct shape *a)
{
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
	of->build(s, a, place);
	return s->failed ? -1 : 0;
}
