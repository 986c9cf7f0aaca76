/* SPDX-License-Identifier: Apache-2.0 */
/* Between bench.c, point.c, sweep.c and run.c: the sweep of one rank, once everything is open. */
#ifndef NETBENCH_MEASURE_SWEEP_H
#define NETBENCH_MEASURE_SWEEP_H

#include "measure/bench.h"

/* What rank 0 decides after a repetition or a point, and then all ranks know. */
struct decision {
	int stop;			/* enum stop; STOP_NOT: once more */
	int signal;			/* that one of the ranks got, or 0 */
	int failed;			/* rank 0 could not write */
	uint64_t loops;
};

static inline bool bench_is_root(const struct bench *b)
{
	return b->job->rank == 0;
}

/* Ends the whole job, from any rank; what failed was said before. */
__attribute__((noreturn)) static inline void bench_give_up(struct bench *b, int status)
{
	b->job->kind->abort(b->job, status);
}

/* On rank 0 every rank's `len` bytes, valid until the next call; NULL elsewhere. Collective. */
static inline const void *bench_gather(struct bench *b, const void *mine, size_t len)
{
	return b->job->kind->gather(b->job, mine, len);
}

/*
 * Rank 0's decision, for all; unless a signal has come to any of them, which then has come to all. Collective.
 */
struct decision bench_agree(struct bench *b, struct decision mine);

/*
 * Measures one point, or leaves it out with a row that says why, or another that the benchmark collects. Collective.
 * Returns why it ended; STOP_SIGNAL and STOP_TIME_LIMIT end the sweep. Aborts the job if a transfer fails.
 */
struct decision sweep_point(struct bench *b, const struct point *pt);

/*
 * Measures all points on this rank. Collective. Returns the exit status on rank 0 (failed if content was
 * wrong or a sink could not be written), ST_OK on the others; aborts the job if a transfer fails.
 */
int sweep(struct bench *b);

#endif
