/* SPDX-License-Identifier: Apache-2.0 */
/* When a point has been measured often enough. Pure. */
#ifndef NETBENCH_MEASURE_STOP_H
#define NETBENCH_MEASURE_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

/* Why a point's repetitions ended: the column `stop`. */
enum stop {
	STOP_NOT,		/* go on */
	STOP_CI,		/* interval of the median narrow enough */
	STOP_REPETITIONS,	/* --repetitions reached */
	STOP_POINT_TIME,	/* --point-time spent */
	STOP_TIME_LIMIT,	/* --time-limit reached: the whole run ends */
	STOP_DETERMINISTIC,	/* virtual time: every repetition is the same */
	STOP_SIGNAL,		/* interrupted */
};
extern const char *const stop_names[];

/* Fewer have no 95 % interval of the median: no rule but those of the run ends a point before. */
#define FEWEST_REPETITIONS 6

/* The rule of a run. */
struct stopping {
	uint64_t min, max;	/* repetitions */
	double ci;		/* relative half width of the median's interval; 0: never */
	double point_time_s;	/* budget of a point; 0: none */
	bool deterministic;	/* one repetition says it all */
	double step_s;		/* of the clock that repetitions are timed by */
};

/*
 * Judges after each repetition: x holds all so far, spent_s the point's time so far. Nothing ends
 * a point below min repetitions; from there the interval, max and the budget decide, in this
 * order. The interval is looked at for n = 20 and then each time n has grown by a quarter, since
 * looking at every n would stop too early too often (METHODS 3.2); below 100 samples only if they
 * show no sign of depending on one another, which makes intervals narrow by chance.
 */
enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s);

/* True if the interval is judged at n samples. */
bool stop_looks(size_t n);

#endif
