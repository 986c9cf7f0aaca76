/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Algorithms of operations that add nothing: each adds to an empty schedule what one place of a
 * shape does. Pure. Numbers of rounds, trees and partners are those of COLLECTIVES.md section 1.
 * A broadcast's vector is the result, which at place 0 holds the input.
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

/* ---- parts of algorithms, of this file and of reducing.c ---- */

/* Sends `len` bytes down a binomial tree, from `part` of place 0 to that of the others. */
void tree_down(struct schedule *s, uint32_t P, uint32_t place, struct span part, uint64_t len);

/* Passes the blocks of `base` around a ring of c.n places; each has its own there. */
void ring_around(struct schedule *s, struct cut c, uint32_t place, struct span base);

/*
 * Along a binomial tree, block i to place i, or from there to place 0. `own` is the place's block,
 * `here` where those of its subtree are, of place 0 all. Places without children do without `here`.
 */
void blocks_down(struct schedule *s, struct cut c, uint32_t place, struct span here,
		 struct span own);
void blocks_up(struct schedule *s, struct cut c, uint32_t place, struct span here, struct span own);

/* The partners of step i, 1 to P-1, of a pairwise exchange: whom it sends to, and receives from. */
struct partners {
	uint32_t to, from;
};
struct partners partners_of(uint32_t P, uint32_t place, uint32_t step);

#endif
