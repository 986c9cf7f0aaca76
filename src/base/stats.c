/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"

#define TAIL 0.025			/* each side of a 95 % interval */
#define Z 1.959963984540054		/* the normal distribution's 97.5 % point */
#define EXACT_UP_TO 10000		/* samples; beyond, the normal form */

#define DEPENDENT 0.1			/* above this lag-1 autocorrelation samples are */
#define EPOCHS_MIN 6
#define EPOCHS_MAX 20

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

/* How many k = 0, 1, ... have P(Bin(n,q) <= k) <= TAIL. */
static size_t tail_count(size_t n, double q)
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
	below = tail_count(n, q);
	above = tail_count(n, 1 - q);
	if (!below || !above)
		return -1;
	*l = below;
	*u = n + 1 - above;
	return 0;
}

static struct summary nothing(size_t n)
{
	return (struct summary){ .n = n, .min = NAN, .p50 = NAN, .p90 = NAN, .p99 = NAN,
				 .p999 = NAN, .max = NAN, .lo = NAN, .hi = NAN, .acf1 = NAN };
}

/* Order statistic ceil(q n), q in thousandths so that q n is exact. */
static double quantile(uint64_t n, unsigned int permille, uint64_t least, order_fn *at,
		       const void *population)
{
	uint64_t whole = n / 1000 * permille, rest = n % 1000 * permille;

	return n < least ? NAN : at(population, whole + (rest + 999) / 1000);
}

struct summary summarise_ordered(uint64_t n, order_fn *at, const void *population)
{
	struct summary s = nothing(n);

	if (!n)
		return s;
	s.min = at(population, 1);
	s.max = at(population, n);
	s.p50 = at(population, n / 2 + 1);
	if (n % 2 == 0)
		s.p50 = midpoint(at(population, n / 2), s.p50);
	s.p90 = quantile(n, 900, 36, at, population);
	s.p99 = quantile(n, 990, 368, at, population);
	s.p999 = quantile(n, 999, 3688, at, population);
	return s;
}

/* The lag-1 autocorrelation. */
static double lag1(const struct series *x)
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

/* The samples in rising order, for free(); NULL without any or without memory. */
static double *sorted_copy(const double *s, size_t n)
{
	double *sorted = n ? malloc(n * sizeof(*sorted)) : NULL;

	if (sorted) {
		memcpy(sorted, s, n * sizeof(*sorted));
		sort_doubles(sorted, n);
	}
	return sorted;
}

static double sorted_at(const void *population, uint64_t rank)
{
	return ((const double *)population)[rank - 1];
}

struct summary summarise(const struct series *x)
{
	double *sorted = sorted_copy(x->s, x->n);
	struct summary s;
	size_t l, u;

	if (!sorted)
		return nothing(x->n);
	s = summarise_ordered(x->n, sorted_at, sorted);
	if (quantile_ranks(x->n, 0.5, &l, &u) == 0) {
		s.lo = sorted[l - 1];
		s.hi = sorted[u - 1];
	}
	if (x->n >= 3 && s.min < s.max)
		s.acf1 = lag1(x);
	free(sorted);
	return s;
}

bool series_depends(const struct series *x)
{
	struct summary all = summarise(x);
	struct series sides = { 0 };
	bool depends = all.acf1 > DEPENDENT, pushed = true;

	for (size_t i = 0; i < x->n && pushed; i++)
		pushed = !series_push(&sides, (x->s[i] > all.p50) - (x->s[i] < all.p50));
	depends |= pushed && x->n >= 3 && lag1(&sides) > DEPENDENT;
	series_free(&sides);
	return depends;
}

int series_epochs(const struct series *x, struct series *epochs)
{
	size_t n = (size_t)sqrt((double)x->n), first = 0;

	n = n < EPOCHS_MIN ? EPOCHS_MIN : n > EPOCHS_MAX ? EPOCHS_MAX : n;
	if (x->n < 2 * n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct series part = { .s = x->s + first, .n = (i + 1) * x->n / n - first };
		double median = summarise(&part).p50;

		if (isnan(median) || series_push(epochs, median))
			return -1;
		first += part.n;
	}
	return 0;
}

/* Uniform in (0,1). */
static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

/* Standard normal, by the polar method. */
static double normal(struct rng *r)
{
	double x, y, square;

	do {
		x = 2 * uniform(r) - 1;
		y = 2 * uniform(r) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * log(square) / square);
}

/*
 * Gamma with a shape of 1 or more (Marsaglia and Tsang); of a whole shape the sum of so many
 * exponential numbers.
 */
static double gamma_drawn(struct rng *r, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v;

	do {
		x = normal(r);
		v = 1 + c * x;
		v = v * v * v;
	} while (v <= 0 || log(uniform(r)) >= x * x / 2 + d - d * v + d * log(v));
	return d * v;
}

static double value_at(const double *sorted, size_t n, double share)
{
	size_t i = (size_t)(share * (double)n);

	return sorted[i < n ? i : n - 1];
}

/*
 * The median of a resample. A member of it is the value at a uniform share of the sorted ones, and
 * the k-th smallest of n uniform numbers is distributed as the first k of n + 1 exponential numbers
 * together, divided by all of them.
 */
static double resampled_median(struct rng *r, const double *sorted, size_t n)
{
	size_t k = (n + 1) / 2, odd = n % 2;
	double below = gamma_drawn(r, (double)k), between = odd ? 0 : gamma_drawn(r, 1);
	double all = below + between + gamma_drawn(r, (double)(n - k + odd));
	double low = value_at(sorted, n, below / all);

	return odd ? low : midpoint(low, value_at(sorted, n, (below + between) / all));
}

int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed,
		 struct interval *ratio)
{
	double *below = sorted_copy(a->s, a->n), *above = sorted_copy(b->s, b->n);
	double *drawn = draws ? malloc(draws * sizeof(*drawn)) : NULL;
	bool ready = below && above && drawn;
	struct rng r;

	rng_seed(&r, seed);
	for (size_t i = 0; ready && i < draws; i++)
		drawn[i] = resampled_median(&r, above, b->n) / resampled_median(&r, below, a->n);
	if (ready) {
		sort_doubles(drawn, draws);
		ratio->lo = value_at(drawn, draws, TAIL);
		ratio->hi = value_at(drawn, draws, 1 - TAIL);
	}
	free(below);
	free(above);
	free(drawn);
	return ready ? 0 : -1;
}
