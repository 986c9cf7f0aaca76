/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"

#define TAIL 0.025			/* probability on each side of a 95 % interval */
#define Z 1.959963984540054		/* the normal distribution's 97.5 % point */
/*
 * binomial tails are exact up to this number of samples, and use the normal approximation above it
 */
#define EXACT_UP_TO 10000

#define ONE_SIDED 1.645			/* the normal distribution's 95 % point */
#define EPOCHS_MIN 6
#define EPOCHS_MAX 20
#define DRAWS 4000			/* resamples for the interval of a ratio */

#define ROUNDING 1e-9			/* a smaller share of lost time counts as 0 */

/* number of events in a row, none of them above the value, that end a cluster */
#define CLUSTER_ENDS 10

const char *const ci_method_names[] = {
	[CI_NONE] = "none",
	[CI_ORDER] = "order statistics",
	[CI_EPOCHS] = "epochs",
	[CI_VISITS] = "visits",
};

int series_push(struct series *x, double sample)
{
	if (x->n == x->room) {
		size_t room = x->room ? 2 * x->room : 64;
		double *s = reallocarray(x->s, room, sizeof(*s));

		if (!s)
			return -1;
		x->s = s;
		x->room = room;
	}
	x->s[x->n++] = sample;
	return 0;
}

void series_free(struct series *x)
{
	free(x->s);
	*x = (struct series){ 0 };
}

double stalled_share(double median, double mean)
{
	double share = 1 - median / mean;

	return share < ROUNDING ? 0 : share;
}

double series_mean(const struct series *x)
{
	double sum = 0;

	for (size_t i = 0; i < x->n; i++)
		sum += x->s[i];
	return x->n ? sum / (double)x->n : NAN;
}

/* Returns the number of integers k >= 0 for which P(Bin(n,q) <= k) <= TAIL. */
static size_t count_tail_values(size_t n, double q)
{
	double odds = log(q) - log1p(-q), term = (double)n * log1p(-q), sum = 0;

	if (n > EXACT_UP_TO) {
		double mean = (double)n * q, half = Z * sqrt(mean * (1 - q));

		return mean > half ? (size_t)(mean - half + 0.5) : 0;
	}
	for (size_t k = 0; k <= n; k++) {
		sum += exp(term);
		if (sum > TAIL)
			return k;
		term += log((double)(n - k)) - log((double)(k + 1)) + odds;
	}
	return n + 1;
}

int quantile_ranks(size_t n, double q, size_t *l, size_t *u)
{
	size_t below, above;

	if (!(q > 0 && q < 1))
		return -1;
	/* P(Bin(n,q) >= u) = P(Bin(n,1-q) <= n-u): the upper tail mirrors the lower one. */
	below = count_tail_values(n, q);
	above = count_tail_values(n, 1 - q);
	if (!below || !above)
		return -1;
	*l = below;
	*u = n + 1 - above;
	return 0;
}

/* Returns statistics with this n and all others unknown (NaN). */
static struct summary summary_unknown(size_t n)
{
	return (struct summary){ .n = n, .min = NAN, .p50 = NAN, .p90 = NAN, .p99 = NAN,
				 .p999 = NAN, .max = NAN, .lo = NAN, .hi = NAN, .acf1 = NAN };
}

/*
 * Returns the order statistic of rank ceil(q n), where q = permille / 1000; NaN if n < min_n. q is
 * given in thousandths so that q n is computed exactly.
 */
static double quantile_by_rank(uint64_t n, unsigned int permille, uint64_t min_n, order_fn *at,
			     const void *population)
{
	uint64_t whole = n / 1000 * permille, rest = n % 1000 * permille;

	return n < min_n ? NAN : at(population, whole + (rest + 999) / 1000);
}

struct summary summarise_ordered(uint64_t n, order_fn *at, const void *population)
{
	struct summary s = summary_unknown(n);

	if (!n)
		return s;
	s.min = at(population, 1);
	s.max = at(population, n);
	s.p50 = at(population, n / 2 + 1);
	if (n % 2 == 0)
		s.p50 = midpoint(at(population, n / 2), s.p50);
	s.p90 = quantile_by_rank(n, 900, 36, at, population);
	s.p99 = quantile_by_rank(n, 990, 368, at, population);
	s.p999 = quantile_by_rank(n, 999, 3688, at, population);
	return s;
}

/* Returns the lag-1 autocorrelation of a series. */
static double lag1_autocorrelation(const struct series *x)
{
	double mean = 0, product = 0, square = 0;

	for (size_t i = 0; i < x->n; i++)
		mean += (x->s[i] - mean) / (double)(i + 1);
	for (size_t i = 0; i < x->n; i++) {
		double d = x->s[i] - mean;

		square += d * d;
		if (i)
			product += d * (x->s[i - 1] - mean);
	}
	return product / square;
}

/*
 * Returns the samples in rising order, or NULL if there are none or memory is short. The caller
 * frees them.
 */
static double *sorted_copy(const struct series *x)
{
	double *sorted = x->n ? malloc(x->n * sizeof(*sorted)) : NULL;

	if (sorted) {
		memcpy(sorted, x->s, x->n * sizeof(*sorted));
		sort_doubles(sorted, x->n);
	}
	return sorted;
}

/* The order_fn for a population that is a sorted array of doubles. */
static double sorted_value_at(const void *population, uint64_t rank)
{
	return ((const double *)population)[rank - 1];
}

/*
 * Returns the larger of two lag-1 autocorrelations: of the samples, and of their signs (above or
 * below the median). Returns 0 if neither is known.
 */
static double larger_autocorrelation(const struct series *x, double median)
{
	struct series signs = { 0 };
	double rho = x->n < 3 ? 0 : lag1_autocorrelation(x);
	size_t i = x->n < 3 ? x->n : 0;

	while (i < x->n && !series_push(&signs, (x->s[i] > median) - (x->s[i] < median)))
		i++;
	if (i == x->n && signs.n)
		rho = fmax(rho, lag1_autocorrelation(&signs));
	series_free(&signs);
	return isnan(rho) ? 0 : rho;
}

/* Returns true if n samples with autocorrelation rho count as dependent on earlier ones. */
static bool samples_depend(double rho, size_t n)
{
	double chance = ONE_SIDED / sqrt((double)n) - 1 / (double)n;

	return rho > ALIKE && rho > chance;
}

/* Returns part i of n consecutive parts of a series. The part points into the series' samples. */
static struct series series_part(const struct series *x, size_t i, size_t n)
{
	size_t first = i * x->n / n;

	return (struct series){ x->s + first, (i + 1) * x->n / n - first, 0 };
}

/* Returns the median of a series, which is not changed; NaN if memory is short. */
static double series_median(const struct series *x)
{
	double *sorted = sorted_copy(x), m;

	m = sorted ? midpoint(sorted[(x->n - 1) / 2], sorted[x->n / 2]) : NAN;
	free(sorted);
	return m;
}

/* Like series_epochs, but the caller gives the autocorrelation rho. */
static int make_epochs(const struct series *x, double rho, struct series *epochs)
{
	size_t n = (size_t)sqrt((double)x->n);
	double min_n = fmax(2, 2 * (1 + rho) / (1 - rho)), most = (double)x->n / min_n;

	n = n < EPOCHS_MIN ? EPOCHS_MIN : n > EPOCHS_MAX ? EPOCHS_MAX : n;
	n = (double)n > most ? (size_t)most : n;
	if (!(rho < 1) || n < EPOCHS_MIN)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct series part = series_part(x, i, n);
		double median = series_median(&part);

		if (isnan(median) || series_push(epochs, median))
			return -1;
	}
	return 0;
}

static const struct interval unknown = { NAN, NAN };

/*
 * Returns the 95 % interval of quantile q of n sorted numbers, from order statistics. Returns
 * `unknown` if n is too small or `sorted` is NULL.
 */
static struct interval quantile_interval(const double *sorted, size_t n, double q)
{
	size_t l, u;

	if (!sorted || quantile_ranks(n, q, &l, &u))
		return unknown;
	return (struct interval){ sorted[l - 1], sorted[u - 1] };
}

struct interval interval_around(struct interval i, double value)
{
	return i.lo < value && value < i.hi ? i : unknown;
}

/*
 * Widens an interval, if necessary, so that it contains a value. An unknown interval stays unknown.
 */
static struct interval widen_to_value(struct interval i, double value)
{
	return isnan(i.lo) ? i : (struct interval){ fmin(i.lo, value), fmax(i.hi, value) };
}

/* Sets the interval of the median. An unknown interval gets method CI_NONE. */
static void set_interval(struct summary *s, struct interval i, enum ci_method method)
{
	s->lo = i.lo;
	s->hi = i.hi;
	s->method = isnan(i.lo) ? CI_NONE : method;
}

/* Sets the interval of the median from sorted samples. */
static void set_median_interval(struct summary *s, const double *sorted, size_t n,
				enum ci_method method)
{
	/*
	 * the interval must contain the median of all samples, which may differ from the median of
	 * the epochs' medians
	 */
	set_interval(s, widen_to_value(quantile_interval(sorted, n, 0.5), s->p50), method);
}

struct summary summarise(const struct series *x)
{
	double *sorted = sorted_copy(x), *medians = NULL;
	struct series epochs = { 0 };
	struct summary s;

	if (!sorted)
		return summary_unknown(x->n);
	s = summarise_ordered(x->n, sorted_value_at, sorted);
	if (x->n >= 3 && s.min < s.max)
		s.acf1 = lag1_autocorrelation(x);
	s.alike = larger_autocorrelation(x, s.p50);
	if (!samples_depend(s.alike, x->n)) {
		set_median_interval(&s, sorted, x->n, CI_ORDER);
	} else if (!make_epochs(x, s.alike, &epochs)) {
		medians = sorted_copy(&epochs);
		set_median_interval(&s, medians, epochs.n, CI_EPOCHS);
	}
	series_free(&epochs);
	free(medians);
	free(sorted);
	return s;
}

/* Sets the interval of the median from the medians of FEWEST_VISITS visits or more. */
static void set_interval_of_visits(struct summary *s, const struct series *x, const size_t *ends,
				   size_t n)
{
	double *medians = malloc(n * sizeof(*medians));

	for (size_t i = 0, first = 0; i < n && medians; first = ends[i++])
		medians[i] = series_median(&(struct series){ x->s + first, ends[i] - first, 0 });
	if (medians)
		sort_doubles(medians, n);
	set_interval(s, unknown, CI_NONE);
	set_median_interval(s, medians, n, CI_VISITS);
	free(medians);
}

/*
 * Sets the interval of the median from fewer than FEWEST_VISITS visits. If the visits' intervals
 * have a value in common, the interval of all samples stays. Otherwise the interval extends from
 * the lowest to the highest bound of any visit.
 */
static void set_interval_of_few_visits(struct summary *s, const struct series *x,
				       const size_t *ends, size_t n)
{
	double lo = INFINITY, hi = -INFINITY, highest = -INFINITY, lowest = INFINITY;
	bool known = true;

	for (size_t i = 0, first = 0; i < n; first = ends[i++]) {
		struct series part = { x->s + first, ends[i] - first, 0 };
		struct summary visit = summarise(&part);

		known &= visit.method != CI_NONE;
		lo = fmin(lo, visit.lo);
		hi = fmax(hi, visit.hi);
		highest = fmax(highest, visit.lo);
		lowest = fmin(lowest, visit.hi);
	}
	if (n > 1 && !known)
		set_interval(s, unknown, CI_NONE);
	else if (n > 1 && highest > lowest)
		set_interval(s, (struct interval){ lo, hi }, CI_VISITS);
}

struct summary summarise_visits(const struct series *x, const size_t *ends, size_t n)
{
	struct summary s = summarise(x);

	if (n >= FEWEST_VISITS)
		set_interval_of_visits(&s, x, ends, n);
	else if (x->n < FEWEST_UNVISITED)
		set_interval(&s, unknown, CI_NONE);
	else
		set_interval_of_few_visits(&s, x, ends, n);
	return s;
}

void summary_widen(struct summary *s, double step)
{
	if (s->method == CI_NONE)
		return;
	s->lo = fmin(s->lo, s->p50 - step / 2);
	s->hi = fmax(s->hi, s->p50 + step / 2);
}

bool series_depends(const struct series *x)
{
	return samples_depend(larger_autocorrelation(x, series_median(x)), x->n);
}

int series_epochs(const struct series *x, struct series *epochs)
{
	return make_epochs(x, fmax(0, larger_autocorrelation(x, series_median(x))), epochs);
}

double independent_share(const struct series *x, double value)
{
	size_t clusters = 0, above = 0, below = CLUSTER_ENDS;

	for (size_t i = 0; i < x->n; i++) {
		if (x->s[i] <= value) {
			below++;
			continue;
		}
		above++;
		clusters += below >= CLUSTER_ENDS;
		below = 0;
	}
	return above ? (double)clusters / (double)above : 1;
}

double quantile_min_samples(double q)
{
	return ceil(log(TAIL) / log(q));
}

/* Returns quantile q of samples in any order; NaN if there are none or memory is short. */
static double sample_quantile(const struct series *x, double q)
{
	double *copy = x->n ? malloc(x->n * sizeof(*copy)) : NULL, v = NAN;
	size_t rank = (size_t)ceil(q * (double)x->n);

	if (copy) {
		memcpy(copy, x->s, x->n * sizeof(*copy));
		v = select_double(copy, x->n, rank ? rank - 1 : 0);
	}
	free(copy);
	return v;
}

/*
 * If the events suffice for 6 or more parts, the parts' quantiles give the interval. Otherwise all
 * sorted events give it, with the ranks for `independent` events.
 */
struct interval events_interval(const struct series *x, double q)
{
	double value = sample_quantile(x, q), quantiles[EPOCHS_MAX], independent, each, *sorted;
	struct interval found = unknown;
	size_t parts, l, u;

	if (isnan(value))
		return unknown;
	independent = floor((double)x->n * independent_share(x, value));
	each = (double)x->n / independent;
	parts = (size_t)fmin(independent / quantile_min_samples(q), EPOCHS_MAX);
	for (size_t i = 0; i < parts && parts >= EPOCHS_MIN; i++) {
		struct series part = series_part(x, i, parts);

		quantiles[i] = sample_quantile(&part, q);
		if (isnan(quantiles[i]))
			return unknown;
	}
	if (parts >= EPOCHS_MIN) {
		sort_doubles(quantiles, parts);
		found = quantile_interval(quantiles, parts, 0.5);
	} else if (!quantile_ranks((size_t)independent, q, &l, &u) && (sorted = sorted_copy(x))) {
		u = (size_t)ceil((double)u * each);
		found.lo = sorted[(size_t)((double)(l - 1) * each)];
		found.hi = sorted[(u < x->n ? u : x->n) - 1];
		free(sorted);
	}
	return widen_to_value(found, value);
}

/* Returns a random number, uniform in (0,1). */
static double uniform_random(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

/* Returns a random number of the standard normal distribution (polar method). */
static double normal_random(struct rng *r)
{
	double x, y, square;

	do {
		x = 2 * uniform_random(r) - 1;
		y = 2 * uniform_random(r) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * log(square) / square);
}

/*
 * Returns a random number of the gamma distribution with a shape of 1 or more (Marsaglia and
 * Tsang). If the shape is a whole number k, the sum of k exponential random numbers has the same
 * distribution.
 */
static double gamma_random(struct rng *r, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v;

	do {
		x = normal_random(r);
		v = 1 + c * x;
		v = v * v * v;
	} while (v <= 0 || log(uniform_random(r)) >= x * x / 2 + d - d * v + d * log(v));
	return d * v;
}

/* Returns the number at position share * n in n sorted numbers; share is 0 to 1. */
static double value_at_share(const double *sorted, size_t n, double share)
{
	size_t i = (size_t)(share * (double)n);

	return sorted[i < n ? i : n - 1];
}

/*
 * Returns the median of a bootstrap resample of n sorted samples, without drawing all its members.
 * A member is the sample at a uniformly random position, so the median is the sample at the median
 * of n uniform random numbers. Draw n + 1 exponential random numbers. The sum of the first k
 * divided by the sum of all is distributed like the k-th smallest of n uniform random numbers.
 */
static double resampled_median(struct rng *r, const double *sorted, size_t n)
{
	size_t k = (n + 1) / 2, odd = n % 2;
	double below = gamma_random(r, (double)k), between = odd ? 0 : gamma_random(r, 1);
	double all = below + between + gamma_random(r, (double)(n - k + odd));
	double low = value_at_share(sorted, n, below / all);

	return odd ? low : midpoint(low, value_at_share(sorted, n, (below + between) / all));
}

/*
 * Returns the smallest p-value that a rank test of two series with a and b samples can have. It
 * occurs if all samples of one series are larger than all of the other.
 */
static double smallest_p_value(size_t a, size_t b)
{
	/*
	 * a series of one sample is a known number; all samples of the other are on one side of it
	 */
	if (a == 1 || b == 1)
		return 2 * exp2(-(double)(a + b - 1));
	return 2 * exp(lgamma((double)a + 1) + lgamma((double)b + 1) - lgamma((double)(a + b) + 1));
}

/*
 * Returns the two-sided p-value of the hypothesis "the ratio is 1" from n sorted resampled ratios.
 * It is twice the share of ratios on the rarer side of 1. The observed ratio counts as one more
 * ratio on that side.
 */
static double p_value_of_one(const double *sorted, size_t n)
{
	size_t below = 0, above = 0;

	for (size_t i = 0; i < n; i++) {
		below += sorted[i] <= 1;
		above += sorted[i] >= 1;
	}
	return fmin(1, 2 * ((double)(below < above ? below : above) + 1) / ((double)n + 1));
}

int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed,
		 struct ratio *ratio)
{
	double *below = sorted_copy(a), *above = sorted_copy(b);
	double *drawn = draws ? malloc(draws * sizeof(*drawn)) : NULL;
	bool ready = below && above && drawn;
	struct rng r;

	rng_seed(&r, seed);
	for (size_t i = 0; ready && i < draws; i++)
		drawn[i] = resampled_median(&r, above, b->n) / resampled_median(&r, below, a->n);
	if (ready) {
		sort_doubles(drawn, draws);
		ratio->interval.lo = value_at_share(drawn, draws, TAIL);
		ratio->interval.hi = value_at_share(drawn, draws, 1 - TAIL);
		ratio->p_value = fmin(1, fmax(p_value_of_one(drawn, draws),
					      smallest_p_value(a->n, b->n)));
	}
	free(below);
	free(above);
	free(drawn);
	return ready ? 0 : -1;
}

struct interval median_ratio_interval(const struct series *a, const struct series *b, uint64_t seed)
{
	const struct series *of[2] = { a, b };
	struct series epochs[2] = { { NULL } };
	struct ratio found = { unknown, NAN };
	bool enough = a->n >= EPOCHS_MIN && b->n >= EPOCHS_MIN;

	for (int i = 0; i < 2 && enough; i++) {
		if (!series_depends(of[i]))
			continue;
		enough = !series_epochs(of[i], &epochs[i]);
		of[i] = &epochs[i];
	}
	/* the interval must contain the ratio of the medians of all samples */
	if (enough && !median_ratio(of[0], of[1], DRAWS, seed, &found))
		found.interval = widen_to_value(found.interval,
						series_median(b) / series_median(a));
	series_free(&epochs[0]);
	series_free(&epochs[1]);
	return found.interval;
}

int series_means(const struct series *x, size_t parts, struct series *means)
{
	for (size_t i = 0; i < parts; i++) {
		struct series part = series_part(x, i, parts);
		double sum = 0;

		for (size_t k = 0; k < part.n; k++)
			sum += part.s[k];
		if (series_push(means, sum / (double)part.n))
			return -1;
	}
	return 0;
}
