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
 * The best time of a visit is the shortest of its first BEST_OF repetitions. The number is fixed,
 * because the shortest of more repetitions tends to be shorter.
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
	/* window that was measured; shorter than the spec's window if the point was slow */
	uint32_t window;
	enum stop stop;
	/* time of each repetition, s: maximum over the timed ranks */
	struct series times;
	/*
	 * If spec->rank_times: the time of each rank in the first repetition, then in the second,
	 * ..., s. 0: the rank is not timed. NaN: the rank has lost a peer. Infinite: the rank
	 * itself is lost.
	 */
	struct series apart;
	/* visit_end[i]: index in `times` after the last sample of visit i */
	size_t *visit_end;
	size_t visits;
	size_t dropped;			/* number of visits whose samples were removed */
	/*
	 * rounds have no warm-up iteration and no checks message by message, because the point is
	 * slow or has CHECK_ONCE
	 */
	bool plain;
	/* rank 0: time of a repetition, s, if the point is slow; else 0 */
	double slow_s;
	/*
	 * Set on each rank, in s. spent_s: time of all visits. repeated_s: time of the repetitions
	 * in all visits. again_s: time of the repetitions in the latest visit.
	 */
	double spent_s, repeated_s, again_s;
	struct summary time;
	/*
	 * Single iterations on rank 0, s; n = 0 without stamps. lo and hi bound the median. Both
	 * are computed from the medians of the repetitions, as lo and hi of `time` are computed
	 * from the times of the repetitions.
	 */
	struct summary iteration;
	struct tails tails;
	/* maximum over the ranks of a rank's best time in its first BEST_OF repetitions, s */
	double rank_best_s;
	/* number of verified messages, and of wrong ones, over all ranks */
	uint64_t checked, errors;
	/* an allreduce of real numbers gave different bits on different ranks */
	bool ranks_differ;
	/* number of repetitions (or collective operations) that a rank started late */
	uint64_t late;
	/* rank 0: time between the starts of two operations in a block, s */
	double distance_s;
	/* too many collective operations began late, so each begins after a barrier instead */
	bool after_barriers;
	/*
	 * Work per second of all computing tasks together: without communication, and during the
	 * repetitions.
	 */
	double work_alone, work_during;
	/* interval of work_alone / work_during; NaN: not determined */
	struct interval slowdown;
	/*
	 * smallest share of a processor that a computing task got without communication, or that a
	 * rank and its task together got during the repetitions
	 */
	double processor;
	void *tally;			/* rank 0: tally of a program over all visits, or NULL */
};

void result_free(struct result *res);

/*
 * Ends a visit. All samples that were added since the previous visit ended belong to this visit.
 * Returns 0, or -1 if memory runs out.
 */
int result_end_visit(struct result *res);

/*
 * Removes the times of all repetitions, and the ends of all visits so far. The summary of the point
 * then consists of the current visit and later ones.
 */
void result_drop_visits(struct result *res);

/* Returns the mean time of an iteration over all repetitions, s; NaN without repetitions. */
double result_mean(const struct result *res);

/*
 * Returns launch_s as a share of the median time of a repetition, at most 1. Returns 0 if launch_s
 * is 0.
 */
double result_launch_share(const struct result *res, double launch_s);

/*
 * Returns stalled_share (base/stats.h) of the median of single iterations and of result_mean.
 * Without stamps, the median is the median time of a repetition divided by its loops.
 */
double result_stalled_share(const struct result *res);

/*
 * Returns the number of repetitions that result_visit_best considers: all repetitions of the visit,
 * but at most BEST_OF. Visits count from 0.
 */
size_t result_best_count(const struct result *res, size_t visit);

/*
 * Returns the best time among the first result_best_count repetitions of a visit, s; NaN without
 * repetitions.
 */
double result_visit_best(const struct result *res, size_t visit);

/* Returns the median of result_visit_best over all visits, s; NaN without repetitions. */
double result_best(const struct result *res);

#endif
