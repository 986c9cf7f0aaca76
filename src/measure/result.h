/* SPDX-License-Identifier: Apache-2.0 */
/* What measuring a spec gave. */
#ifndef NETBENCH_MEASURE_RESULT_H
#define NETBENCH_MEASURE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"
#include "measure/plan/spec.h"
#include "measure/plan/stop.h"

/* The first repetitions, whose best counts where it does: the more draws, the better it is. */
#define BEST_OF 6

/* 95 % intervals of quantiles of single iterations, s; NaN: not determined. */
struct tails {
	struct interval p90, p99, p999;
};

/*
 * On rank 0; the other ranks have spec, loops, window, time and stop,
 * the same as there.
 */
struct result {
	const struct spec *spec;
	uint64_t loops;
	uint32_t window;		/* shorter than the spec's where a point took too long */
	enum stop stop;
	/* s of each repetition: maximum over the ranks that are timed */
	struct series times;
	/*
	 * spec->rank_times: s of the first repetition on each rank, then of the second, ...; 0 of
	 * ranks that are not timed, NaN of those that have lost a peer, infinite of those that are
	 * lost themselves
	 */
	struct series apart;
	size_t *visit_end;		/* of visit i: the first of `times` after it */
	size_t visits;
	bool plain;			/* of its rounds: too slow for more than the message */
	double slow_s;			/* rank 0: of a repetition, if that takes long, else 0 */
	/* on all visits so far, on their repetitions, on those of the last visit; on each rank */
	double spent_s, repeated_s, again_s;
	struct summary time;
	/*
	 * s of single iterations on rank 0; n = 0 without stamps. Its lo and hi bound the median:
	 * by the medians of repetitions, as those of `time` are by their times.
	 */
	struct summary iteration;
	struct tails tails;
	/* maximum over ranks of each rank's own best of the first BEST_OF repetitions */
	double rank_best_s;
	uint64_t checked, errors;	/* messages verified, and wrong, on all ranks */
	/* repetitions, or collective operations, in which a rank started late */
	uint64_t late;
	double distance_s;		/* rank 0: between the starts of a block's operations */
	/*
	 * Work that the computing tasks did a second, all of them: alone, and during the
	 * repetitions.
	 */
	double work_alone, work_during;
	struct interval slowdown;	/* of work_alone / work_during; NaN: not determined */
	/* the least share of a processor that a rank and its task got, alone or meanwhile */
	double processor;
	void *tally;			/* rank 0: of a program, of all visits; or NULL */
};

void result_free(struct result *res);

/* Notes that the samples so far are those of one more visit. 0, or -1 without memory. */
int result_end_visit(struct result *res);

/* All time of the repetitions over all of their iterations, s; NaN without any. */
double result_mean(const struct result *res);

/* The share of a repetition's median time that launch_s of each is, at most 1; 0 for launch_s 0. */
double result_launch_share(const struct result *res, double launch_s);

/*
 * stalled_share (base/stats.h) of that mean and of the median of single iterations, or without
 * these of repetitions.
 */
double result_stalled(const struct result *res);

/* Repetitions of a visit, from 0, among whose first BEST_OF the best counts. */
size_t result_best_of(const struct result *res, size_t visit);

/* Time of the best of these; NaN without any. */
double result_best_in(const struct result *res, size_t visit);

/* The median of this over all visits; NaN without any. */
double result_best(const struct result *res);

#endif
