/* SPDX-License-Identifier: Apache-2.0 */
/* The window at which the rate of a sliding window stops growing. Pure. */
#ifndef NETBENCH_MODEL_KNEE_H
#define NETBENCH_MODEL_KNEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

#define KNEE_MOST 64		/* windows of a knee */

/* Why the rates do not determine a knee. */
enum knee_lack {
	KNEE_LACKS_NOTHING,
	KNEE_BELOW,		/* it would be below a window of 1 */
	KNEE_OPEN,		/* no window is past it: the knee is at least this large */
	KNEE_FIRST,		/* window 1 has another round trip than the line */
	KNEE_SOFT,		/* the rate at the window nearest it is far from the lines */
};

struct knee {
	double rtt;		/* s: the wait of windows below the knee */
	double rate;		/* messages a second of windows above it */
	double window;		/* the knee, rtt * rate */
	double softness;	/* measured rate over that of the lines at the window nearest it */
	bool at_least;		/* the largest window's rate is higher than all others */
	enum knee_lack lack;
	double rtt_first;	/* s: of the row of window 1; NaN without one */
};

/*
 * Finds the two lines min(W / rtt, rate) nearest to the rates of n windows (eq. 75), and whether
 * they determine a knee. Windows rise and are at least 1. The distance is the sum over the windows
 * of the differences of logarithms. False if n is less than three, or
 * more than KNEE_MOST.
 */
bool knee_find(const double *window, const double *rate, size_t n, struct knee *k);

/* A window, and its rates in visits of the run or in repetitions, in their order. */
struct knee_point {
	double window;
	struct series rates;
};

/*
 * The 95 % interval of the knee's window, by bootstrap over the rates of each window: their medians
 * in `draws` resamples. Rates of one visit are drawn together if all windows have as many. NaN
 * with fewer than FEWEST_REPETITIONS rates of a window, and where knee_find is false.
 */
struct interval knee_interval(const struct knee_point *points, size_t n, size_t draws,
			      uint64_t seed);

#endif
