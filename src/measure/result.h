/* SPDX-License-Identifier: Apache-2.0 */
/* The result of measuring a spec. */
#ifndef NETBENCH_MEASURE_RESULT_H
#define NETBENCH_MEASURE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"
#include "measure/plan/spec.h"
#include "measure/plan/stop.h"

/*
 * Number of first repetitions from which the best is taken. It is fixed, because the best of more
 * draws is better.
 */
#define BEST_OF 6

/* 95 % intervals of quantiles of single iterations, s; NaN: not determined. */
struct tails {
	struct interval p90, p99, p999;
};

/* The result on rank 0. Other ranks have the same spec, loops, window, time and stop. */
struct result {
	const struct spec *spec;
	uint64_t loops;
	/* shorter than the spec's window if a point took too long */
	uint32_t window;
	enum stop stop;
	/* time of each repetition, s: maximum over the timed ranks */
	struct series times;
	/*
	 * If spec->rank_times: times of the first repetition on each rank, then of the second, ...,
	 * s. 0: the rank is not timed. NaN: it has lost a peer. Infinite: the rank itself is lost.
	 */
	struct series apart;
	size_t *visit_end;		/* index in `times` after the last sample of visit i */
	size_t visits;
	/* rounds are plain (struct run): too slow for warm-up iterations and checks */
	bool plain;
	double slow_s;			/* rank 0: time of a repetition, if it is long; else 0 */
	/*
	 * time of all visits, of their repetitions, and of the last visit's repetitions, s; on each
	 * rank
	 */
	double spent_s, repeated_s, again_s;
	struct summary time;
	/*
	 * Single iterations on rank 0, s; n = 0 without stamps. lo and hi bound the median. They
	 * come from the medians of repetitions, as those of `time` come from their times.
	 */
	struct summary iteration;
	struct tails tails;
	/* maximum over the ranks of the best time among a rank's first BEST_OF repetitions */
	double rank_best_s;
	uint64_t checked, errors;	/* messages verified, and wrong ones, on all ranks */
	/* number of repetitions, or collective operations, in which a rank started late */
	uint64_t late;
	double distance_s;		/* rank 0: time between starts of a block's operations, s */
	/* Work per second of all computing tasks together: alone, and during the repetitions. */
	double work_alone, work_during;
	/* interval of work_alone / work_during; NaN: not determined */
	struct interval slowdown;
	/*
	 * smallest share of a processor that a rank with its task got, alone or during repetitions
	 */
	double processor;
	void *tally;			/* rank 0: tally of a program over all visits; or NULL */
};

void result_free(struct result *res);

/*
 * Ends a visit: the samples since the last visit's end are its samples. Returns 0, or -1 without
 * memory.
 */
int result_end_visit(struct result *res);

/* Mean time of an iteration over all repetitions, s; NaN without any. */
double result_mean(const struct result *res);

/*
 * The share that a launch of launch_s has in a repetition's median time, at most 1; 0 if launch_s
 * is 0.
 */
double result_launch_share(const struct result *res, double launch_s);

/*
 * stalled_share (base/stats.h) of result_mean and the median of single iterations; without stamps,
 * of the median repetition divided by its loops.
 */
double result_stalled_share(const struct result *res);

/*
 * Number of repetitions of a visit (counted from 0) that result_visit_best considers: at most
 * BEST_OF.
 */
size_t result_best_count(const struct result *res, size_t visit);

/* Best time among the first result_best_count repetitions of a visit, s; NaN without any. */
double result_visit_best(const struct result *res, size_t visit);

/* Median of result_visit_best over all visits, s; NaN without any. */
double result_best(const struct result *res);

#endif
