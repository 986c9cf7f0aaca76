/* SPDX-License-Identifier: Apache-2.0 */
#include "model/knee.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/sort.h"

/* Two rates count as equal if their ratio is at most FLAT. */
#define FLAT 1.05

/*
 * The measurements contradict the lines if they differ from the lines by a larger factor than
 * these. APART_FIRST is for the round trip at window 1, APART_BEND for the rate at the bend.
 */
#define APART_FIRST 1.25
#define APART_BEND 1.5

/* Returns whether a ratio is above `limit` or below 1 / `limit`. */
static bool differs_by_factor(double ratio, double limit)
{
	return ratio > limit || ratio < 1 / limit;
}

/* Returns the first reason why the measurements contradict the lines. */
static enum knee_lack find_contradiction(const struct knee *k, double largest)
{
	if (k->window < 1 - 1e-9)
		return KNEE_BELOW;
	if (differs_by_factor(k->rtt_first / k->rtt, APART_FIRST))
		return KNEE_FIRST;
	if (k->at_least || k->window > largest)
		return KNEE_OPEN;
	return differs_by_factor(k->softness, APART_BEND) ? KNEE_SOFT : KNEE_LACKS_NOTHING;
}

/*
 * Finds the two lines with the least distance to the rates. Each of these lines passes through a
 * measured point, so the function tries all pairs of points.
 */
static void find_lines(const double *window, const double *rate, size_t n, struct knee *k)
{
	/* logarithms of the windows and the rates */
	double least = INFINITY, w[KNEE_MOST], r[KNEE_MOST];

	for (size_t i = 0; i < n; i++) {
		w[i] = log(window[i]);
		r[i] = log(rate[i]);
	}
	*k = (struct knee){ 0 };
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t at = 0; at < n; at++)
				sum += fabs(r[at] - fmin(w[at] - w[i] + r[i], r[j]));
			if (sum < least) {
				least = sum;
				k->rtt = window[i] / rate[i];
				k->rate = rate[j];
			}
		}
	k->window = k->rtt * k->rate;
}

bool knee_find(const double *window, const double *rate, size_t n, struct knee *k)
{
	size_t nearest = 0;

	if (n < 3 || n > KNEE_MOST)
		return false;
	find_lines(window, rate, n, k);
	k->at_least = rate[n - 1] > FLAT * rate[n - 2];
	for (size_t i = 1; i < n; i++)
		if (fabs(log(window[i] / k->window)) < fabs(log(window[nearest] / k->window)))
			nearest = i;
	k->softness = rate[nearest] / fmin(window[nearest] / k->rtt, k->rate);
	k->rtt_first = window[0] > 1 ? NAN : window[0] / rate[0];
	k->lack = find_contradiction(k, window[n - 1]);
	return true;
}

struct interval knee_interval(const struct knee_point *points, size_t n, size_t draws,
			      uint64_t seed)
{
	double window[KNEE_MOST], rate[KNEE_MOST], *room, *knees;
	struct interval found = { NAN, NAN };
	size_t most = 0, least = SIZE_MAX, *which;
	struct rng rng;
	struct knee k;

	for (size_t i = 0; i < n; i++) {
		most = points[i].rates.n > most ? points[i].rates.n : most;
		least = points[i].rates.n < least ? points[i].rates.n : least;
	}
	if (n < 3 || n > KNEE_MOST || least < FEWEST_REPETITIONS || !draws)
		return found;
	room = calloc(most + draws, sizeof(*room));
	which = calloc(most, sizeof(*which));
	knees = room ? room + most : NULL;
	rng_seed(&rng, seed);
	for (size_t d = 0; d < draws && room && which; d++) {
		for (size_t i = 0; i < most; i++)
			which[i] = rng_next(&rng) % most;
		for (size_t i = 0; i < n; i++) {
			const struct series *r = &points[i].rates;

			window[i] = points[i].window;
			for (size_t j = 0; j < r->n; j++)
				room[j] = r->s[least == most ? which[j] : rng_next(&rng) % r->n];
			rate[i] = median(room, r->n);
		}
		find_lines(window, rate, n, &k);
		knees[d] = k.window;
	}
	if (room && which) {
		sort_doubles(knees, draws);
		found = (struct interval){ knees[(size_t)(0.025 * (double)(draws - 1))],
					   knees[(size_t)ceil(0.975 * (double)(draws - 1))] };
	}
	free(room);
	free(which);
	return found;
}
