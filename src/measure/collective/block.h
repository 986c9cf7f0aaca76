/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A repetition of a collective operation: a block of operations, each from a start that all ranks
 * have agreed on, or behind a barrier (COLLECTIVES.md 37, 37a).
 */
#ifndef NETBENCH_MEASURE_COLLECTIVE_BLOCK_H
#define NETBENCH_MEASURE_COLLECTIVE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct result;
struct session;

/* An operation on one rank, s: from its start, or its own, to its end; how late it began. */
struct passage {
	double took, late;
};

/* Whether operations have agreed starts; else they begin behind a barrier. */
bool block_has_starts(const struct session *s);

/*
 * Agrees on the starts of the block that the session's round is; rank 0's `distance_s` of the
 * vectors counts. Collective.
 */
void block_start(struct session *s);

/*
 * After the block, collective. Every rank gets the median of its own operations in *own_s, s. Rank
 * 0 keeps the operations that began in time among the sink's samples, and counts the others in
 * res->late. True: too many began late, nothing of the block is kept, and it is measured again
 * with twice the distance. *median_s: of the operations, on rank 0.
 */
bool block_take(struct session *s, struct result *res, bool keep, double *own_s, double *median_s);

#endif
