/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What will be measured, decided before anything is: sizes, points, loop lengths, and
 * when a point has been measured often enough. Pure.
 */
#ifndef NETBENCH_MEASURE_PLAN_H
#define NETBENCH_MEASURE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/options.h"
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

/* When a point has been measured often enough. */
struct stopping {
	uint64_t min, max;	/* repetitions */
	double ci;		/* relative half width of the median's interval; 0: never */
	double point_time_s;	/* budget of a point; 0: none */
	bool deterministic;	/* one repetition says it all */
};

/*
 * Judges after each repetition: x holds all so far, spent_s the point's time so far. Nothing ends
 * a point below min repetitions; from there the interval, max and the budget decide, in this
 * order. The interval is looked at for n = 6 and then each time n has grown by a quarter, since
 * looking at every n would stop too early too often (METHODS 3.2).
 */
enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s);

/* True if the interval is judged at n samples. */
bool stop_looks(size_t n);

struct pattern;

/* One point of a sweep. What is 0 or NULL leaves it to the benchmark. */
struct point {
	uint64_t size;		/* bytes of a message */
	uint32_t window;	/* messages in flight */
	uint32_t batch;		/* messages posted with one doorbell */
	const struct pattern *pattern;
	int ranks;		/* that the job must have */
	unsigned load;		/* enum role: whose processors a computing task shares */
	uint32_t setup;		/* which of the benchmark's own set-ups */
	bool brief;		/* not verified message by message: another visit of the same point is */
};

/*
 * The sizes of a sweep: `explicit` in the order given if it has any, else 2^min .. 2^max.
 * Reports min > max and max > 63. The caller frees list->v. ST_OK or ST_USAGE, ST_FAILED without
 * memory.
 */
int plan_sizes(const struct numbers *explicit, uint64_t min_log2, uint64_t max_log2,
	       struct numbers *list);

/*
 * All combinations, sizes innermost. Combinations with batch > window are left out. Returns an
 * array of *n points for free(), NULL without memory. windows, batches: at least one each.
 */
struct point *plan_points(const struct numbers *sizes, const struct numbers *windows,
			  const struct numbers *batches, size_t *n);

/*
 * b_eff's loop length max(u / ceil(L/(2 w)), l), integer division; ceil(0) counts as 1
 * (DEFINITIONS 3). w: channel width in bytes.
 */
uint64_t plan_beff_loops(uint64_t u, uint64_t l, uint64_t w, uint64_t size);

/* The u for which plan_beff_loops gives `loops` (or a little more, by the division) at this size. */
uint64_t plan_beff_upper(uint64_t loops, uint64_t w, uint64_t size);

/* Loops so that a round lasts at least target_s when one loop lasts loop_s: 1 .. max. */
uint64_t plan_loops(double target_s, double loop_s, uint64_t max);

#endif
