/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A repetition of a collective operation: a block of operations. Each operation begins at a start
 * that all ranks have agreed on, or after a barrier (COLLECTIVES.md 37, 37a).
 */
#ifndef NETBENCH_MEASURE_COLLECTIVE_BLOCK_H
#define NETBENCH_MEASURE_COLLECTIVE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct result;
struct session;

/* Times of an operation on one rank, s. */
struct operation_times {
	double took,	/* from the agreed start (or its own, after a barrier) to its end */
	       late;	/* delay after the agreed start */
};

/* Whether operations have agreed starts; otherwise each begins after a barrier. */
bool block_has_starts(const struct session *s);

/*
 * Agrees on the starts of the block in the session's round. Rank 0's distance_s (struct vectors)
 * sets their distance. Collective.
 */
void block_start(struct session *s);

/*
 * Collects the times of a block after it has ended; collective. *own_s is the median of this rank's
 * operations, s. *median_s is the median of all operations, on rank 0, s.
 * Rank 0 adds the operations that began in time to the sink's samples, and counts the others in
 * res->late. Returns true if too many began late: then nothing of the block is kept, and it must be
 * measured again, with twice the distance.
 */
bool block_collect(struct session *s, struct result *res, bool keep, double *own_s,
		   double *median_s);

#endif
