/* SPDX-License-Identifier: Apache-2.0 */
/* The window at which the rate of a sliding window stops growing. Pure. */
#ifndef NETBENCH_MODEL_KNEE_H
#define NETBENCH_MODEL_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct knee {
	double rtt;		/* s: the wait of windows below the knee */
	double rate;		/* messages a second of windows above it */
	double window;		/* the knee, rtt * rate */
	double softness;	/* measured rate over that of the lines at the window nearest it */
	bool at_least;		/* the largest window's rate is higher than all others */
};

/*
 * Finds the two lines min(W / rtt, rate) nearest to the rates of n windows (eq. 75). Windows rise
 * and are at least 1. The distance is the sum over the windows of the differences of logarithms.
 * False if n is less than three.
 */
bool knee_find(const double *window, const double *rate, size_t n, struct knee *k);

#endif
