/* SPDX-License-Identifier: Apache-2.0 */
/* The window at which the rate of a sliding window stops growing. Pure. */
#ifndef NETBENCH_MODEL_KNEE_H
#define NETBENCH_MODEL_KNEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

#define KNEE_MOST 64		/* most windows that knee_find takes */

/* Why the rates do not determine a knee. */
enum knee_lack {
	KNEE_LACKS_NOTHING,
	KNEE_BELOW,		/* the knee would be below a window of 1 */
	/* no window is larger than the knee, which is at least the largest window */
	KNEE_OPEN,
	KNEE_FIRST,		/* the round trip at window 1 differs from the line's */
	KNEE_SOFT,		/* the rate at the window nearest the knee is far from the lines */
};

struct knee {
	double rtt;		/* round trip of windows below the knee, s */
	double rate;		/* rate of windows above the knee, messages per second */
	double window;		/* the knee, rtt * rate */
	double softness;	/* rate at the window nearest the knee, measured / by the lines */
	/* the largest window's rate exceeds all others: the knee is at least that window */
	bool at_least;
	enum knee_lack lack;
	double rtt_first;	/* round trip measured at window 1, s; NaN without that window */
};

/*
 * Finds the two lines min(W / rtt, rate) nearest to the rates of n windows (eq. 75), and whether
 * they determine a knee. Windows rise and are at least 1. The distance is the sum of absolute
 * differences of logarithms over all windows. Returns false if n is less than three or more than
 * KNEE_MOST.
 */
bool knee_find(const double *window, const double *rate, size_t n, struct knee *k);

/* A window and its rates, one for each visit or repetition, in their order. */
struct knee_point {
	double window;
	struct series rates;
};

/*
 * The 95 % interval of the knee's window. It comes from a bootstrap over the rates of each window,
 * with the median of each of `draws` resamples. If all windows have the same number of rates, rates
 * of one visit are drawn together. NaN if a window has fewer than FEWEST_REPETITIONS rates, and
 * where knee_find returns false.
 */
struct interval knee_interval(const struct knee_point *points, size_t n, size_t draws,
			      uint64_t seed);

#endif
