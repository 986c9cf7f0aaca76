/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAIL 0.025			/* each side of a 95 % interval */
#define Z 1.959963984540054		/* the normal distribution's 97.5 % point */
#define EXACT_UP_TO 10000		/* samples; beyond, the normal form */

#define SUB_BITS 8			/* 2^8 buckets per octave */
#define BUCKETS ((64 - SUB_BITS + 1) << SUB_BITS)

/* A sorted population: yields its order statistic of a rank from 1 to n. */
typedef double order_fn(const void *population, uint64_t rank);

struct hist {
	uint64_t n, min, max;
	uint64_t count[BUCKETS];
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

/* Everything in a summary that follows from single order statistics. */
static struct summary order_summary(uint64_t n, order_fn *at, const void *population)
{
	struct summary s = nothing(n);

	if (!n)
		return s;
	s.min = at(population, 1);
	s.max = at(population, n);
	s.p50 = at(population, n / 2 + 1);
	if (n % 2 == 0)
		s.p50 = at(population, n / 2) / 2 + s.p50 / 2;
	s.p90 = quantile(n, 900, 36, at, population);
	s.p99 = quantile(n, 990, 368, at, population);
	s.p999 = quantile(n, 999, 3688, at, population);
	return s;
}

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

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sorted_at(const void *population, uint64_t rank)
{
	return ((const double *)population)[rank - 1];
}

struct summary summarise(const struct series *x)
{
	double *sorted = x->n ? malloc(x->n * sizeof(*sorted)) : NULL;
	struct summary s;
	size_t l, u;

	if (!sorted)
		return nothing(x->n);
	memcpy(sorted, x->s, x->n * sizeof(*sorted));
	qsort(sorted, x->n, sizeof(*sorted), rising);
	s = order_summary(x->n, sorted_at, sorted);
	if (quantile_ranks(x->n, 0.5, &l, &u) == 0) {
		s.lo = sorted[l - 1];
		s.hi = sorted[u - 1];
	}
	if (x->n >= 3 && s.min < s.max)
		s.acf1 = lag1(x);
	free(sorted);
	return s;
}

static size_t bucket_of(uint64_t v)
{
	unsigned int e;

	if (v < 1u << SUB_BITS)
		return v;
	e = 63 - (unsigned int)__builtin_clzll(v);
	return ((size_t)(e - SUB_BITS + 1) << SUB_BITS) +
	       ((v >> (e - SUB_BITS)) & ((1u << SUB_BITS) - 1));
}

/* Bits of a value that its bucket does not tell: log2 of the bucket's width. */
static unsigned int bucket_shift(size_t bucket)
{
	return bucket < 1u << SUB_BITS ? 0 : (unsigned int)(bucket >> SUB_BITS) - 1;
}

static uint64_t bucket_low(size_t bucket)
{
	uint64_t lead = 1u << SUB_BITS;

	if (bucket < lead)
		return bucket;
	return (lead | (bucket & (lead - 1))) << bucket_shift(bucket);
}

struct hist *hist_new(void)
{
	struct hist *h = malloc(sizeof(*h));

	if (h)
		hist_clear(h);
	return h;
}

/* Not left to calloc: the pages shall be there before the first sample. */
void hist_clear(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void hist_add(struct hist *h, uint64_t value)
{
	h->n++;
	h->count[bucket_of(value)]++;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

/* The middle of the rank's bucket, unless the extremes say more. */
static double hist_at(const void *population, uint64_t rank)
{
	const struct hist *h = population;
	uint64_t seen = 0;
	size_t i = 0;
	double middle;

	if (rank == 1)
		return (double)h->min;
	if (rank == h->n)
		return (double)h->max;
	while ((seen += h->count[i]) < rank)
		i++;
	middle = (double)bucket_low(i) + (double)((UINT64_C(1) << bucket_shift(i)) - 1) / 2;
	return fmin(fmax(middle, (double)h->min), (double)h->max);
}

struct summary hist_summary(const struct hist *h)
{
	return order_summary(h->n, hist_at, h);
}

void hist_each(const struct hist *h, void (*visit)(void *arg, uint64_t value, uint64_t count),
	       void *arg)
{
	for (size_t i = 0; i < BUCKETS; i++)
		if (h->count[i])
			visit(arg, bucket_low(i), h->count[i]);
}

/* splitmix64, as xoshiro's authors advise: no seed yields the state of all zeros. */
void rng_seed(struct rng *r, uint64_t seed)
{
	for (size_t i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
		r->s[i] = z ^ (z >> 31);
	}
}

static uint64_t rotl(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

/* Uniform in 0..bound-1: the 2^64 mod bound smallest draws would favour small results. */
static uint64_t rng_below(struct rng *r, uint64_t bound)
{
	uint64_t x, surplus = -bound % bound;

	do
		x = rng_next(r);
	while (x < surplus);
	return x % bound;
}

void rng_permutation(struct rng *r, uint32_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = rng_below(r, i + 1);

		p[i] = p[j];
		p[j] = (uint32_t)i;
	}
}
