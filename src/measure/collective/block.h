/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of collective operations. A repetition of a collective operation is a block of many
 * operations. Each operation begins at a time that all ranks have agreed on, or after a barrier
 * (COLLECTIVES.md 37, 37a).
 */
#ifndef NETBENCH_MEASURE_COLLECTIVE_BLOCK_H
#define NETBENCH_MEASURE_COLLECTIVE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct result;
struct session;

/* Times of an operation on one rank, s. */
struct operation_times {
	/* time from the agreed start to the end; after a barrier, from this rank's own start */
	double took,
	       late;	/* delay of this rank's start after the agreed start */
};

/*
 * Returns whether operations of the current spec have agreed starts. If not, each begins after a
 * barrier.
 */
bool block_has_agreed_starts(const struct session *s);

/* Returns whether the operations of a result began after a barrier, not at a common start. */
bool block_began_after_barriers(const struct session *s, const struct result *res);

/*
 * Returns whether the q-quantile of the times of `kept` operations is reliable, although `late`
 * operations were left out because they began late. All of these could belong above the quantile.
 * They must therefore be at most half of the operations above the quantile (COLLECTIVES.md 37a).
 */
bool block_quantile_is_reliable(uint64_t late, uint64_t kept, double q);

/*
 * Is called at the end of a visit. Returns whether too many of the point's operations began late
 * for a reliable median. If so, removes all samples of the point, and each later operation of the
 * point begins after a barrier. The caller then repeats the visit. Collective.
 */
bool block_give_up_starts(struct session *s, struct result *res);

/*
 * Agrees with all ranks on the starts of the operations in the current block. The time between two
 * starts is the distance_s (struct vectors) of rank 0. Collective.
 */
void block_start(struct session *s);

/*
 * Collects the times of a block that has ended. Collective. *own_s is the median time of the
 * operations on this rank, s. On rank 0, *median_s is the median, over the operations, of the time
 * until the last rank ends, s.
 * If `keep`, rank 0 adds the operations that began in time to the sink's samples, and counts the
 * late operations in res->late. Returns true if too many operations began late. Then no time is
 * kept, and the block must be measured again with twice the time between starts, which this
 * function has set.
 */
bool block_collect(struct session *s, struct result *res, bool keep, double *own_s,
		   double *median_s);

/*
 * Returns the share of an operation's time that is hidden if ranks compute in the meantime, 0 to 1,
 * as the OSU benchmarks define it (COLLECTIVES.md section 2). alone_s: time of the operation alone.
 * all_s: time of the operation and of computing for compute_s, s.
 */
double block_hidden_share(double alone_s, double all_s, double compute_s);

#endif
