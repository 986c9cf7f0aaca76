/* SPDX-License-Identifier: Apache-2.0 */
#include "model/knee.h"

#include <math.h>

/* Rates that differ by no more are equally high. */
#define FLAT 1.05

static double rate_of(const struct knee *k, double window)
{
	return fmin(window / k->rtt, k->rate);
}

bool knee_find(const double *window, const double *rate, size_t n, struct knee *k)
{
	double least = INFINITY;
	size_t nearest = 0;

	if (n < 3)
		return false;
	/* the lines with the least distance pass through one point each */
	*k = (struct knee){ 0 };
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			struct knee by = { .rtt = window[i] / rate[i], .rate = rate[j] };
			double sum = 0;

			for (size_t at = 0; at < n; at++)
				sum += fabs(log(rate[at] / rate_of(&by, window[at])));
			if (sum < least) {
				least = sum;
				*k = by;
			}
		}
	k->window = k->rtt * k->rate;
	k->at_least = rate[n - 1] > FLAT * rate[n - 2];
	for (size_t i = 1; i < n; i++)
		if (fabs(log(window[i] / k->window)) < fabs(log(window[nearest] / k->window)))
			nearest = i;
	k->softness = rate[nearest] / rate_of(k, window[nearest]);
	return true;
}
