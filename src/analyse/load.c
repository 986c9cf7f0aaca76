/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/values.h"

#define MOST_PAIRS 0.9	/* a factor needs quantiles in at least this share of the pairs */

static const struct bounded unknown = { NAN, NAN, NAN };

int end_epoch(struct epochs *e, uint64_t unanswered, double rate)
{
	size_t *end = list_grow(e->end, e->n, sizeof(*end));
	uint64_t *open = list_grow(e->unanswered, e->n, sizeof(*open));
	double *rates = list_grow(e->rate, e->n, sizeof(*rates));

	e->end = end ? end : e->end;
	e->unanswered = open ? open : e->unanswered;
	e->rate = rates ? rates : e->rate;
	if (!end || !open || !rates)
		return -1;
	end[e->n] = e->events.n;
	open[e->n] = unanswered;
	rates[e->n++] = rate;
	return 0;
}

void discard_epoch(struct epochs *e)
{
	e->events.n = e->n ? e->end[e->n - 1] : 0;
}

void epochs_free(struct epochs *e)
{
	series_free(&e->events);
	free(e->end);
	free(e->unanswered);
	free(e->rate);
	*e = (struct epochs){ 0 };
}

/* Returns the events of one epoch. The memory belongs to `e`. */
static struct series epoch_events(const struct epochs *e, size_t i)
{
	size_t first = i ? e->end[i - 1] : 0;

	return (struct series){ .s = e->events.s + first, .n = e->end[i] - first };
}

/*
 * Returns the number of independent events of a series. `value` is the series' quantile q. In a
 * tail, events above the quantile come in clusters, which are counted. Around the median, clusters
 * hardly ever end. There the autocorrelation of "above or below the median" gives the number.
 */
static double count_independent(const struct series *x, double q, double value)
{
	double above = 0, both = 0, all = 0, r;

	if (q > 0.5)
		return (double)x->n * independent_share(x, value);
	for (size_t i = 0; i < x->n; i++)
		above += x->s[i] > value;
	above /= (double)x->n;
	for (size_t i = 0; i < x->n; i++) {
		double side = (x->s[i] > value) - above;

		both += i ? side * ((x->s[i - 1] > value) - above) : 0;
		all += side * side;
	}
	r = all > 0 ? both / all : 0;
	/* chance may explain a correlation up to this limit */
	if (r <= 1.645 / sqrt((double)x->n))
		r = 0;
	return (double)x->n * (1 - r) / (1 + r);
}

/*
 * Returns quantile q of the events x together with `unanswered` longer ones. NaN if too few events
 * are independent.
 */
static double quantile(const struct series *x, uint64_t unanswered, double q)
{
	size_t all = x->n + (size_t)unanswered, rank = (size_t)ceil(q * (double)all);
	double *copy, value;

	rank = rank ? rank : 1;
	if (rank > x->n || !(copy = malloc(x->n * sizeof(*copy))))
		return NAN;
	memcpy(copy, x->s, x->n * sizeof(*copy));
	value = select_double(copy, x->n, rank - 1);
	free(copy);
	return count_independent(x, q, value) < quantile_min_samples(q) ? NAN : value;
}

double epoch_quantile(const struct epochs *e, size_t i, double q)
{
	struct series x = epoch_events(e, i);

	return quantile(&x, e->unanswered[i], q);
}

struct bounded median_with_bounds(double *values, size_t n)
{
	struct bounded found = unknown;
	size_t lo, hi;

	if (!n)
		return unknown;
	sort_doubles(values, n);
	found.value = median(values, n);
	if (n < FEWEST_REPETITIONS || quantile_ranks(n, 0.5, &lo, &hi))
		return found;
	return (struct bounded){ found.value, values[lo - 1], values[hi - 1] };
}

/*
 * Returns the interval of quantile q of all events of x, by order statistics, as if only the
 * independent events counted. `value` is the quantile.
 */
static struct interval bounds_of_all(const struct series *x, double q, double value)
{
	double independent = floor(count_independent(x, q, value)), each, *sorted;
	struct interval found = { NAN, NAN };
	size_t lo, hi, last;

	if (quantile_ranks((size_t)independent, q, &lo, &hi))
		return found;
	sorted = malloc(x->n * sizeof(*sorted));
	if (!sorted)
		return found;
	memcpy(sorted, x->s, x->n * sizeof(*sorted));
	sort_doubles(sorted, x->n);
	each = (double)x->n / independent;
	last = (size_t)ceil((double)hi * each);
	found.lo = sorted[(size_t)((double)(lo - 1) * each)];
	found.hi = sorted[(last < x->n ? last : x->n) - 1];
	free(sorted);
	return found;
}

/* Returns quantile q of all events together, regardless of their epochs, with its interval. */
static struct bounded pooled_quantile(const struct epochs *e, double q)
{
	uint64_t unanswered = 0;
	struct interval bounds;
	double value;

	for (size_t i = 0; i < e->n; i++)
		unanswered += e->unanswered[i];
	value = quantile(&e->events, unanswered, q);
	if (isnan(value))
		return unknown;
	bounds = bounds_of_all(&e->events, q, value);
	/* the value counts unanswered events as longest, its bounds do not know them */
	if (!isnan(bounds.lo))
		bounds = (struct interval){ fmin(bounds.lo, value), fmax(bounds.hi, value) };
	/* the upper bound may fall among the unanswered events */
	if ((double)unanswered > (1 - q) / 2 * (double)e->events.n)
		bounds.hi = NAN;
	return (struct bounded){ value, bounds.lo, bounds.hi };
}

struct bounded epochs_quantile(const struct epochs *e, double q)
{
	double *values = malloc((e->n + 1) * sizeof(*values));
	struct bounded found = unknown;
	size_t n = 0;

	if (!values)
		return unknown;
	for (size_t i = 0; i < e->n; i++) {
		values[n] = epoch_quantile(e, i, q);
		n += !isnan(values[n]);
	}
	if (n == e->n && n >= FEWEST_REPETITIONS)
		found = median_with_bounds(values, n);
	free(values);
	return isnan(found.value) ? pooled_quantile(e, q) : found;
}

struct bounded epochs_rate(const struct epochs *e)
{
	double *values = malloc((e->n + 1) * sizeof(*values));
	struct bounded found = unknown;

	if (!values)
		return unknown;
	memcpy(values, e->rate, e->n * sizeof(*values));
	found = median_with_bounds(values, e->n);
	free(values);
	return found;
}

double epochs_mean(const struct epochs *e)
{
	return series_mean(&e->events);
}

double epochs_max(const struct epochs *e)
{
	double most = NAN;

	for (size_t i = 0; i < e->events.n; i++)
		most = fmax(most, e->events.s[i]);
	return most;
}

/* Returns exp of the median of log_ratio() over those pairs of epochs that have a value. */
static struct bounded median_factor(const struct epochs *quiet, const struct epochs *loaded,
				    double (*log_ratio)(const struct epochs *quiet,
							const struct epochs *loaded, size_t i,
							double q),
				    double q)
{
	size_t pairs = quiet->n < loaded->n ? quiet->n : loaded->n, n = 0;
	double *d = malloc((pairs + 1) * sizeof(*d));
	struct bounded found = unknown;

	if (!d)
		return unknown;
	for (size_t i = 0; i < pairs; i++) {
		d[n] = log_ratio(quiet, loaded, i, q);
		n += isfinite(d[n]);
	}
	if (n >= FEWEST_REPETITIONS && (double)n >= MOST_PAIRS * (double)pairs)
		found = median_with_bounds(d, n);
	free(d);
	return (struct bounded){ exp(found.value), exp(found.lo), exp(found.hi) };
}

/* ln of the ratio of quantiles in the i-th pair of epochs: loaded / quiet. */
static double log_quantiles(const struct epochs *quiet, const struct epochs *loaded, size_t i,
			    double q)
{
	return log(epoch_quantile(loaded, i, q) / epoch_quantile(quiet, i, q));
}

/* ln of the ratio of rates in the i-th pair of epochs: quiet / loaded. */
static double log_rates(const struct epochs *quiet, const struct epochs *loaded, size_t i,
			double q)
{
	return log(quiet->rate[i] / loaded->rate[i]);
}

struct bounded load_factor(const struct epochs *quiet, const struct epochs *loaded, double q)
{
	return median_factor(quiet, loaded, log_quantiles, q);
}

struct bounded load_rate_factor(const struct epochs *quiet, const struct epochs *loaded)
{
	return median_factor(quiet, loaded, log_rates, 0);
}
