/* SPDX-License-Identifier: Apache-2.0 */
/* When a point has been measured often enough. Pure. */
#ifndef NETBENCH_MEASURE_PLAN_STOP_H
#define NETBENCH_MEASURE_PLAN_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"
#include "result/ended.h"

/* A point may take this time with all that is done for it, or --point-time if that is longer, s. */
#define LONGEST_POINT_S 10.0

/* The rule of a run. */
struct stopping {
	uint64_t min, max;	/* repetitions */
	double ci;		/* relative half width of the median's interval; 0: never */
	double point_time_s;	/* budget of a point; 0: none */
	bool deterministic;	/* one repetition says it all */
	double step_s;		/* of the clock that repetitions are timed by */
	double longest_s;	/* that a point may take; 0: any time */
	uint64_t visits;	/* that a point has, of which this is one; 0: 1 */
};

/*
 * Judges after each repetition of a visit: x holds all of it so far, spent_s its time so far.
 * Nothing ends it below min repetitions; from there the interval, max and the budget decide, in
 * this order. The interval is looked at for n = stop_first_look and then each time n has grown by a
 * quarter, since looking at every n would stop too early too often (METHODS 3.2); below 100 samples
 * only if they show no sign of depending on one another, which makes intervals narrow by chance.
 * With several visits the interval of all is as wide as that of one over the root of their number;
 * a visit too short for an interval counts by its range.
 */
enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s);

/*
 * Whether a point ends after n > 0 repetitions though they are fewer than min. It has taken point_s
 * on the wall, pilot and checks included. With one more like the last, of repetition_s, it would
 * take longer than longest_s.
 */
bool stop_is_slow(const struct stopping *rule, size_t n, double point_s, double repetition_s);

/* What one iteration says of a point before it is measured. */
struct outlook {
	bool clear;		/* else look again, with `window` messages */
	bool slow;		/* there is time for six repetitions at most, and little more */
	uint32_t window;	/* of which six repetitions fit; 1 if of none */
};

/*
 * An iteration with a window of `window` messages, 1 or more, took iteration_s; `asked` are to be
 * measured, and a point may take longest_s divided by the iterations of a repetition. A window is
 * taken to last at most this number of those seen; what is shorter than OUTLOOK_SURE_S may be a
 * disturbance, and tells nothing of many iterations.
 */
#define OUTLOOK_SURE_S 50e-3
struct outlook stop_foresee(double iteration_s, uint32_t window, uint32_t asked, double longest_s);

/*
 * The loops of a repetition whose iterations take iteration_s: `least`, or as many as fit into
 * longest_s; 0: that has no limit.
 */
uint64_t stop_loops(double iteration_s, uint64_t least, double longest_s);

/* An iteration that lasts longer is looked at twice. */
double stop_suspicious(double longest_s);

/* The samples of a visit at which its interval is judged first: of the point some 20. */
size_t stop_first_look(uint64_t visits);

/* True if the interval is judged at n samples, for the first time at `first`. */
bool stop_looks(size_t n, size_t first);

/* The part of n repetitions that visit number `visit`, from 0, of several has; 1 at least. */
uint64_t stop_share(uint64_t n, uint64_t visit, uint64_t visits);

#endif
