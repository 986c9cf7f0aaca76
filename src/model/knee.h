/* SPDX-License-Identifier: Apache-2.0 */
/* Where the rate of a window that slides stops growing. Pure. */
#ifndef NETBENCH_MODEL_KNEE_H
#define NETBENCH_MODEL_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct knee {
	double rtt;		/* s: what the windows below the knee wait for */
	double rate;		/* messages a second of those above it */
	double window;		/* the knee, rtt * rate */
	double softness;	/* measured rate over that of the lines at the window nearest it */
	bool at_least;		/* no other rate is as high as the largest window's */
};

/*
 * The two lines min(W / rtt, rate) that lie nearest to the rates of n windows, rising and at least
 * 1, by the sum of the distances of their logarithms (eq. 75). False if there are fewer than three.
 */
bool knee_find(const double *window, const double *rate, size_t n, struct knee *k);

#endif
