/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Algorithms of operations that add vectors of doubles. Each function adds the moves of one place
 * to an empty schedule. Pure. Steps have a fixed order, and a step that receives a vector to be
 * added receives no other. So sums do not depend on the order in which messages arrive
 * (COLLECTIVES.md section 1).
 */
#ifndef NETBENCH_MODEL_SCHEDULE_REDUCING_H
#define NETBENCH_MODEL_SCHEDULE_REDUCING_H

#include "model/schedule/places.h"
#include "model/schedule/schedule.h"

void reduce_linear(struct schedule *s, const struct shape *a, uint32_t place);
void reduce_binomial(struct schedule *s, const struct shape *a, uint32_t place);
void reduce_rabenseifner(struct schedule *s, const struct shape *a, uint32_t place);

void allreduce_reduce_bcast(struct schedule *s, const struct shape *a, uint32_t place);
void allreduce_recursive_doubling(struct schedule *s, const struct shape *a, uint32_t place);
void allreduce_rabenseifner(struct schedule *s, const struct shape *a, uint32_t place);
void allreduce_ring(struct schedule *s, const struct shape *a, uint32_t place);

void reduce_scatter_ring(struct schedule *s, const struct shape *a, uint32_t place);
void reduce_scatter_pairwise(struct schedule *s, const struct shape *a, uint32_t place);
void reduce_scatter_recursive_halving(struct schedule *s, const struct shape *a, uint32_t place);
void reduce_scatter_reduce_scatter(struct schedule *s, const struct shape *a, uint32_t place);

#endif
