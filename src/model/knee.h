/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the knee: the window at which the rate of a sliding window stops growing. Pure. */
#ifndef NETBENCH_MODEL_KNEE_H
#define NETBENCH_MODEL_KNEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

#define KNEE_MOST 64		/* largest number of windows that knee_find accepts */

/* Why the rates do not determine a knee. */
enum knee_lack {
	KNEE_LACKS_NOTHING,
	KNEE_BELOW,		/* the knee would be at a window below 1 */
	/* the knee is at or above the largest measured window */
	KNEE_OPEN,
	/* the round trip measured at window 1 differs from the round trip of the line */
	KNEE_FIRST,
	/* the rate measured at the window nearest the knee is far from the lines */
	KNEE_SOFT,
};

struct knee {
	double rtt;		/* round trip with windows below the knee, s */
	double rate;		/* rate with windows above the knee, messages per second */
	double window;		/* the knee, rtt * rate */
	/* measured rate / rate of the lines, at the window nearest the knee */
	double softness;
	/* the rate still grows at the largest window, so the knee is at least this window */
	bool at_least;
	enum knee_lack lack;
	double rtt_first;	/* round trip measured at window 1, s; NaN without that window */
};

/*
 * Finds the two lines min(W / rtt, rate) that are nearest to the rates of n windows (eq. 75). Also
 * decides whether these lines determine a knee. The windows must rise and be at least 1. The
 * distance is the sum over all windows of the absolute difference of logarithms. Returns false if n
 * is less than three or more than KNEE_MOST.
 */
bool knee_find(const double *window, const double *rate, size_t n, struct knee *k);

/* A window and its measured rates: one rate for each visit or repetition, in order of time. */
struct knee_point {
	double window;
	struct series rates;
};

/*
 * Returns the 95 % interval of the window of the knee, by a bootstrap with `draws` resamples. Each
 * resample takes the median of the rates drawn for each window. If all windows have equally many
 * rates, the rates of one visit are drawn together. Returns NaN if a window has fewer than
 * FEWEST_REPETITIONS rates, or if knee_find returns false.
 */
struct interval knee_interval(const struct knee_point *points, size_t n, size_t draws,
			      uint64_t seed);

#endif
