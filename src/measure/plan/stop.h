/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a point has enough repetitions. Pure. */
#ifndef NETBENCH_MEASURE_PLAN_STOP_H
#define NETBENCH_MEASURE_PLAN_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"
#include "result/ended.h"

/*
 * Longest time of a whole point, pilot and checks included, s. If --point-time is longer,
 * --point-time counts instead.
 */
#define LONGEST_POINT_S 10.0

/* The stopping rule of a run. */
struct stopping {
	/* fewest and most repetitions of a point; in a rule for stop_now, of a visit */
	uint64_t min, max;
	/*
	 * stop when the relative half width of the confidence interval of the median is at most
	 * this; 0: never
	 */
	double ci;
	double point_time_s;	/* time budget of a point, s; 0: none */
	bool deterministic;	/* all repetitions are identical, so one is enough */
	double step_s;		/* step of the clock that times repetitions, s */
	double longest_s;	/* longest time that a point may take, s; 0: no limit */
	/* number of visits to a point; 0 means 1 */
	uint64_t visits;
};

/*
 * Decides after each repetition whether a visit ends. Returns STOP_NOT, or why it ends. x holds all
 * samples of the visit so far; spent_s is the time of the visit so far. With fewer than min
 * repetitions the visit does not end. From then on the interval, max and the time budget decide, in
 * this order.
 * The interval is judged at stop_first_judged samples, and again each time the number of samples
 * has grown by a quarter. Judging at every number would stop too early too often (METHODS 3.2).
 * With fewer than 100 samples, the interval counts only if the samples show no sign of dependence,
 * which makes intervals narrow by chance.
 * With several visits, the width of the interval of all visits is estimated as the width of one
 * visit divided by the square root of the number of visits. If a visit is too short for an
 * interval, its range is used.
 */
enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s);

/*
 * Returns whether a slow point ends after n repetitions (n > 0), although n is less than min. The
 * point ends if one more repetition, which takes repetition_s, would make it last longer than
 * longest_s. point_s is the wall time of the point so far, pilot and checks included.
 */
bool stop_is_slow(const struct stopping *rule, size_t n, double point_s, double repetition_s);

/* Prediction for a point, made from one iteration. */
struct outlook {
	/*
	 * the prediction is final; if false, the caller times an iteration again with `window`
	 * messages
	 */
	bool clear;
	/* the point is slow: longest_s is enough for at most about six repetitions */
	bool slow;
	/*
	 * not clear: the window to try next; slow: the largest window with which six repetitions
	 * fit, or 1 if none fits
	 */
	uint32_t window;
};

/*
 * Predicts how long a point will take from one iteration, which took iteration_s with a window of
 * `window` messages (at least 1). `asked` is the window that the point should have. longest_s is
 * the longest time of the point, divided by the iterations of a repetition.
 * The time is assumed to grow with the window at most in proportion. An iteration shorter than
 * OUTLOOK_SURE_S may be a disturbance, so it does not make a point slow.
 */
#define OUTLOOK_SURE_S 50e-3
struct outlook stop_predict_point(double iteration_s, uint32_t window, uint32_t asked,
				  double longest_s);

/*
 * Returns the number of loops of a repetition: `least`, or as many (at least 1) as fit into
 * longest_s if that is fewer. iteration_s is the time of an iteration. longest_s = 0: no limit.
 */
uint64_t stop_loops(double iteration_s, uint64_t least, double longest_s);

/*
 * Returns the time above which an iteration is suspect, s. A suspect iteration is timed a second
 * time.
 */
double stop_recheck_limit(double longest_s);

/*
 * Returns the number of samples at which the interval of a visit is first judged. All visits of a
 * point together then have about 20 samples.
 */
size_t stop_first_judged(uint64_t visits);

/*
 * Returns true if the interval is judged at n samples. `first` is the number of samples at which
 * the interval is first judged.
 */
bool stop_judges_at(size_t n, size_t first);

/*
 * Returns how many of a point's n repetitions visit number `visit` (from 0) of `visits` makes; at
 * least 1.
 */
uint64_t stop_visit_share(uint64_t n, uint64_t visit, uint64_t visits);

#endif
