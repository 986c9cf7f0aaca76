/* SPDX-License-Identifier: Apache-2.0 */
#include "model/knee.h"

#include <math.h>

/* Rates that differ by no more are equally high. */
#define FLAT 1.05

static double model(const struct knee *k, double window)
{
	return fmin(window / k->rtt, k->rate);
}

static double distance(const struct knee *k, const double *window, const double *rate, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(log(rate[i] / model(k, window[i])));
	return sum;
}

/* The lines with the least distance pass through one point each. */
static struct knee nearest_lines(const double *window, const double *rate, size_t n)
{
	struct knee best = { 0 };
	double least = INFINITY;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			struct knee k = { .rtt = window[i] / rate[i], .rate = rate[j] };
			double sum = distance(&k, window, rate, n);

			if (sum < least) {
				least = sum;
				best = k;
			}
		}
	return best;
}

bool knee_find(const double *window, const double *rate, size_t n, struct knee *k)
{
	size_t nearest = 0;

	if (n < 3)
		return false;
	*k = nearest_lines(window, rate, n);
	k->window = k->rtt * k->rate;
	k->at_least = rate[n - 1] > FLAT * rate[n - 2];
	for (size_t i = 1; i < n; i++)
		if (fabs(log(window[i] / k->window)) < fabs(log(window[nearest] / k->window)))
			nearest = i;
	k->softness = rate[nearest] / model(k, window[nearest]);
	return true;
}
