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
 * A point may take this time in all, pilot and checks included; or --point-time if that is longer,
 * s.
 */
#define LONGEST_POINT_S 10.0

/* The stopping rule of a run. */
struct stopping {
	/* fewest and most repetitions: of a point in the plan, of a visit for stop_now */
	uint64_t min, max;
	/* relative half width of the median's confidence interval; 0: never stop on it */
	double ci;
	double point_time_s;	/* time budget of a point, s; 0: none */
	bool deterministic;	/* all repetitions are identical, so one is enough */
	double step_s;		/* step of the clock that times repetitions, s */
	double longest_s;	/* longest time that a point may take, s; 0: no limit */
	/* visits of a point; the samples judged are of one of them; 0 means 1 */
	uint64_t visits;
};

/*
 * Judges after each repetition of a visit. x holds all samples of the visit so far; spent_s is the
 * visit's time so far. Nothing ends the visit below min repetitions. From there the interval, max
 * and the budget decide, in this order.
 * The interval is judged at n = stop_first_judged, and again each time n has grown by a quarter:
 * judging at every n would stop too early too often (METHODS 3.2). Below 100 samples it counts only
 * if samples show no sign of dependence, which makes intervals narrow by chance.
 * With several visits, the interval of all visits is taken as one visit's width divided by the
 * square root of their number. A visit too short for an interval counts by its range.
 */
enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s);

/*
 * Returns whether a slow point ends after n > 0 repetitions, although they are fewer than min.
 * point_s is its wall time so far, pilot and checks included. It ends if one more repetition, of
 * repetition_s, would make it take longer than longest_s.
 */
bool stop_is_slow(const struct stopping *rule, size_t n, double point_s, double repetition_s);

/* What one iteration tells about a point before the point is measured. */
struct outlook {
	bool clear;		/* the outlook is final; else try again with `window` messages */
	bool slow;		/* the time suffices for at most about six repetitions */
	/* the largest window with which six repetitions fit; 1 if none fits */
	uint32_t window;
};

/*
 * Predicts a point from one iteration. It took iteration_s with a window of `window` messages, at
 * least 1. `asked` is the window to be measured. longest_s is the time of a point divided by the
 * iterations of a repetition.
 * A larger window is assumed to last longer at most in proportion. An iteration shorter than
 * OUTLOOK_SURE_S may be a disturbance, so it does not make a point slow.
 */
#define OUTLOOK_SURE_S 50e-3
struct outlook stop_predict_point(double iteration_s, uint32_t window, uint32_t asked,
				  double longest_s);

/*
 * Returns the loops of a repetition whose iterations take iteration_s: `least`, or fewer if only
 * these fit into longest_s (at least 1). longest_s = 0: no limit.
 */
uint64_t stop_loops(double iteration_s, uint64_t least, double longest_s);

/* The time, s, above which an iteration is suspect: it is then timed twice. */
double stop_recheck_limit(double longest_s);

/*
 * The number of samples of a visit at which its interval is judged first; about 20 for a whole
 * point.
 */
size_t stop_first_judged(uint64_t visits);

/* True if the interval is judged at n samples, when it is judged first at `first` samples. */
bool stop_judges_at(size_t n, size_t first);

/* The part of n repetitions that falls to visit number `visit`, counted from 0; at least 1. */
uint64_t stop_visit_share(uint64_t n, uint64_t visit, uint64_t visits);

#endif
