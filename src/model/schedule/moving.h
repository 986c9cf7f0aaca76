/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Algorithms of collective operations that move data without adding. Each function adds the moves
 * of one place to an empty schedule. Pure. Rounds, trees and partners are numbered as in
 * COLLECTIVES.md section 1. A broadcast works in the vector of the result, which at place 0 holds
 * the input.
 */
#ifndef NETBENCH_MODEL_SCHEDULE_MOVING_H
#define NETBENCH_MODEL_SCHEDULE_MOVING_H

#include "model/schedule/places.h"
#include "model/schedule/schedule.h"

void barrier_dissemination(struct schedule *s, const struct shape *a, uint32_t place);
void barrier_central(struct schedule *s, const struct shape *a, uint32_t place);
void barrier_tree(struct schedule *s, const struct shape *a, uint32_t place);
void barrier_recursive_doubling(struct schedule *s, const struct shape *a, uint32_t place);

void bcast_linear(struct schedule *s, const struct shape *a, uint32_t place);
void bcast_binomial(struct schedule *s, const struct shape *a, uint32_t place);
void bcast_chain(struct schedule *s, const struct shape *a, uint32_t place);
void bcast_scatter_ring(struct schedule *s, const struct shape *a, uint32_t place);

void scatter_linear(struct schedule *s, const struct shape *a, uint32_t place);
void scatter_binomial(struct schedule *s, const struct shape *a, uint32_t place);
void gather_linear(struct schedule *s, const struct shape *a, uint32_t place);
void gather_binomial(struct schedule *s, const struct shape *a, uint32_t place);

void allgather_ring(struct schedule *s, const struct shape *a, uint32_t place);
void allgather_recursive_doubling(struct schedule *s, const struct shape *a, uint32_t place);
void allgather_bruck(struct schedule *s, const struct shape *a, uint32_t place);
void allgather_gather_bcast(struct schedule *s, const struct shape *a, uint32_t place);

void alltoall_linear(struct schedule *s, const struct shape *a, uint32_t place);
void alltoall_pairwise(struct schedule *s, const struct shape *a, uint32_t place);
void alltoall_bruck(struct schedule *s, const struct shape *a, uint32_t place);

/* ---- parts of algorithms, also used by reducing.c ---- */

/* Broadcasts `len` bytes down a binomial tree, from `part` of place 0 to `part` of all others. */
void bcast_down_tree(struct schedule *s, uint32_t P, uint32_t place, struct span part,
		     uint64_t len);

/*
 * Passes the blocks of the vector at `base` around a ring of c.n places. At the start, the vector
 * of each place contains the place's own block.
 */
void pass_around_ring(struct schedule *s, struct cut c, uint32_t place, struct span base);

/*
 * Scatters (scatter_blocks) or gathers (gather_blocks) along a binomial tree: place 0 sends block i
 * to place i, or receives it. `own` is the block of this place. `here` holds the blocks of this
 * place's subtree; at place 0 these are all blocks. A leaf does not use `here`.
 */
void scatter_blocks(struct schedule *s, struct cut c, uint32_t place, struct span here,
		    struct span own);
void gather_blocks(struct schedule *s, struct cut c, uint32_t place, struct span here,
		   struct span own);

/* The places to send to and to receive from, in one step (1 to P-1) of a pairwise exchange. */
struct partners {
	uint32_t to, from;
};
struct partners pairwise_partners(uint32_t P, uint32_t place, uint32_t step);

#endif
