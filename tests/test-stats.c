/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "base/sort.h"
#include "base/stats.h"
#include "measure/sink/histogram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BUCKET (1.0 / 256)

static void near(double got, double want, double relative)
{
	if (isnan(want) ? isnan(got) : fabs(got - want) <= relative * fabs(want))
		return;
	fail_msg("got %.17g, want %.17g", got, want);
}

static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double lognormal(struct rng *r, double sigma)
{
	double radius = sqrt(-2 * log(uniform(r)));

	return exp(sigma * radius * cos(6.283185307179586 * uniform(r)));
}

static void ranks_of_the_median(void **state)
{
	static const struct {
		size_t n, l, u;
	} rows[] = {
		{ 6, 1, 6 }, { 10, 2, 9 }, { 20, 6, 15 }, { 100, 40, 61 }, { 1000, 469, 532 },
	};
	size_t l, u;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(quantile_ranks(rows[i].n, 0.5, &l, &u), 0);
		assert_int_equal(l, rows[i].l);
		assert_int_equal(u, rows[i].u);
	}
}

static void fewest_samples_of_a_quantile(void **state)
{
	static const struct {
		double q;
		size_t n;
	} rows[] = {
		{ 0.5, 6 }, { 0.9, 36 }, { 0.95, 72 }, { 0.99, 368 }, { 0.999, 3688 },
	};
	size_t l, u;

	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t n = 0; n < rows[i].n; n++)
			assert_int_equal(quantile_ranks(n, rows[i].q, &l, &u), -1);
		assert_int_equal(quantile_ranks(rows[i].n, rows[i].q, &l, &u), 0);
		assert_true(l >= 1 && l < u);
		assert_int_equal(u, rows[i].n);
	}
	assert_int_equal(quantile_ranks(100, 0, &l, &u), -1);
	assert_int_equal(quantile_ranks(100, 1, &l, &u), -1);
}

/*
 * The ranks by the binomial sum for n = 10001, where quantile_ranks uses the normal approximation.
 */
static void normal_form_is_off_by_one_at_most(void **state)
{
	static const struct {
		double q;
		size_t l, u;
	} rows[] = {
		{ 0.5, 4902, 5100 }, { 0.9, 8942, 9060 }, { 0.99, 9881, 9921 },
		{ 0.999, 9984, 9998 },
	};
	size_t l, u;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(quantile_ranks(10001, rows[i].q, &l, &u), 0);
		assert_in_range(l, rows[i].l - 1, rows[i].l + 1);
		assert_in_range(u, rows[i].u - 1, rows[i].u + 1);
	}
}

static struct summary summary_of(const double *s, size_t n)
{
	struct series x = { 0 };
	struct summary sum;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(series_push(&x, s[i]), 0);
	sum = summarise(&x);
	assert_int_equal(x.n, n);
	if (n)
		assert_memory_equal(x.s, s, n * sizeof(*s));
	series_free(&x);
	assert_null(x.s);
	assert_int_equal(x.n + x.room, 0);
	return sum;
}

static void summaries_of_few_samples_are_exact(void **state)
{
	static const struct {
		double s[8];
		size_t n;
		double min, p50, max, lo, hi, acf1;
	} rows[] = {
		{ { 0 }, 0, NAN, NAN, NAN, NAN, NAN, NAN },
		{ { 7 }, 1, 7, 7, 7, NAN, NAN, NAN },
		{ { 4, 1 }, 2, 1, 2.5, 4, NAN, NAN, NAN },
		{ { 3, 1, 2 }, 3, 1, 2, 3, NAN, NAN, -0.5 },
		{ { 5, 5, 5 }, 3, 5, 5, 5, NAN, NAN, NAN },
		{ { 1, 2, 3, 4, 5 }, 5, 1, 3, 5, NAN, NAN, 0.4 },
		{ { 1, -1, 1, -1 }, 4, -1, 0, 1, NAN, NAN, -0.75 },
		{ { 6, 5, 4, 3, 2, 1 }, 6, 1, 3.5, 6, 1, 6, 0.5 },
		{ { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, 6, 0.1, 0.1, 0.1, 0.1, 0.1, NAN },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct summary s = summary_of(rows[i].s, rows[i].n);

		assert_int_equal(s.n, rows[i].n);
		near(s.min, rows[i].min, 0);
		near(s.p50, rows[i].p50, 1e-15);
		near(s.max, rows[i].max, 0);
		near(s.lo, rows[i].lo, 0);
		near(s.hi, rows[i].hi, 0);
		near(s.acf1, rows[i].acf1, 1e-14);
		near(s.p90, NAN, 0);
	}
}

/* For the samples 1 .. n every order statistic equals its rank. */
static void quantiles_of_ranks_are_those_of_the_definition(void **state)
{
	static const struct {
		size_t n;
		double p50, p90, p99, p999;
	} rows[] = {
		{ 35, 18, NAN, NAN, NAN },
		{ 36, 18.5, 33, NAN, NAN },
		{ 100, 50.5, 90, NAN, NAN },
		{ 367, 184, 331, NAN, NAN },
		{ 368, 184.5, 332, 365, NAN },
		{ 1000, 500.5, 900, 990, NAN },
		{ 3687, 1844, 3319, 3651, NAN },
		{ 3688, 1844.5, 3320, 3652, 3685 },
		{ 10000, 5000.5, 9000, 9900, 9990 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct series x = { 0 };
		struct summary s;

		for (size_t v = rows[i].n; v; v--)
			assert_int_equal(series_push(&x, (double)v), 0);
		s = summarise(&x);
		near(s.p50, rows[i].p50, 0);
		near(s.p90, rows[i].p90, 0);
		near(s.p99, rows[i].p99, 0);
		near(s.p999, rows[i].p999, 0);
		series_free(&x);
	}
}

static void acf1_of_an_autoregressive_series(void **state)
{
	static const double rho[] = { 0, 0.3, 0.9, -0.5 };
	struct rng r;

	rng_seed(&r, 5);
	for (size_t i = 0; i < COUNT(rho); i++) {
		struct series x = { 0 };
		double v = 0;

		for (size_t n = 0; n < 20000; n++) {
			v = rho[i] * v + uniform(&r) - 0.5;
			assert_int_equal(series_push(&x, 100 + v), 0);
		}
		assert_true(fabs(summarise(&x).acf1 - rho[i]) < 0.02);
		series_free(&x);
	}
}

static void median_interval_covers(void **state)
{
	static const size_t ns[] = { 6, 10, 20, 100 };
	const int trials = 2000;
	struct rng r;

	rng_seed(&r, 20240501);
	for (size_t i = 0; i < COUNT(ns); i++) {
		int covered = 0, known = 0;

		for (int t = 0; t < trials; t++) {
			struct series x = { 0 };
			struct summary s;

			for (size_t n = 0; n < ns[i]; n++)
				assert_int_equal(series_push(&x, lognormal(&r, 0.5)), 0);
			s = summarise(&x);
			assert_true(isnan(s.lo) == (s.method == CI_NONE));
			known += s.method != CI_NONE;
			covered += s.lo <= 1 && 1 <= s.hi; /* the median of exp(N(0,.)) is 1 */
			series_free(&x);
		}
		/* a few series that look dependent by chance have no interval */
		assert_true(known >= 0.9 * trials);
		assert_true(covered >= 0.93 * known);
	}
}

struct buckets {
	uint64_t last, n;
	size_t visits;
};

static void count_bucket(void *arg, uint64_t value, uint64_t count)
{
	struct buckets *b = arg;

	assert_true(!b->visits || value > b->last);
	assert_true(count > 0);
	b->last = value;
	b->n += count;
	b->visits++;
}

/* Returns the lower end of a value's bucket, computed by the test itself. */
static uint64_t low_of(struct hist *h, uint64_t value)
{
	struct buckets b = { 0 };

	hist_clear(h);
	hist_add(h, value);
	hist_for_each(h, count_bucket, &b);
	assert_int_equal(b.visits, 1);
	assert_int_equal(b.n, 1);
	return b.last;
}

static void check_round_trip(struct hist *h, uint64_t value)
{
	uint64_t low = low_of(h, value);

	assert_true(low <= value);
	assert_true((double)(value - low) <= (double)value * BUCKET);
	assert_int_equal(low_of(h, low), low);
	if (low > 0)
		assert_true(low_of(h, low - 1) < low);
}

static void histogram_round_trip(void **state)
{
	struct hist *h = hist_new();
	struct rng r;

	assert_non_null(h);
	for (uint64_t v = 0; v < 2000; v++)
		check_round_trip(h, v);
	for (uint64_t v = 0; v < 512; v++)
		assert_int_equal(low_of(h, v), v);
	for (unsigned int e = 1; e < 64; e++) {
		check_round_trip(h, UINT64_C(1) << e);
		check_round_trip(h, (UINT64_C(1) << e) - 1);
	}
	check_round_trip(h, UINT64_MAX);
	rng_seed(&r, 1);
	for (int i = 0; i < 2000; i++)
		check_round_trip(h, rng_next(&r) >> (i % 64));
	free(h);
}

static void histogram_agrees_with_sorting(void **state)
{
	static const size_t ns[] = { 1, 2, 7, 36, 368, 3688, 50001 };
	struct hist *h = hist_new();
	struct rng r;

	assert_non_null(h);
	rng_seed(&r, 3);
	for (size_t i = 0; i < COUNT(ns); i++) {
		struct series x = { 0 };
		struct summary exact, s;

		hist_clear(h);
		for (size_t n = 0; n < ns[i]; n++) {
			uint64_t v = (uint64_t)(1500 * lognormal(&r, 2));

			hist_add(h, v);
			assert_int_equal(series_push(&x, (double)v), 0);
		}
		exact = summarise(&x);
		s = hist_summary(h);
		assert_int_equal(s.n, exact.n);
		near(s.min, exact.min, 0);
		near(s.max, exact.max, 0);
		near(s.p50, exact.p50, BUCKET);
		near(s.p90, exact.p90, BUCKET);
		near(s.p99, exact.p99, BUCKET);
		near(s.p999, exact.p999, BUCKET);
		assert_true(isnan(s.lo) && isnan(s.hi) && isnan(s.acf1));
		series_free(&x);
	}
	free(h);
}

/* All values are in one wide bucket whose middle lies outside their range. */
static void histogram_stays_within_extremes(void **state)
{
	static const uint64_t values[] = { 1u << 20, (1u << 20) + 4095 };
	struct hist *h = hist_new();

	assert_non_null(h);
	assert_true(isnan(hist_summary(h).min) && isnan(hist_summary(h).p50));
	for (size_t i = 0; i < COUNT(values); i++) {
		struct summary s;

		hist_clear(h);
		for (int n = 0; n < 4000; n++)
			hist_add(h, values[i] + (n & 1));
		s = hist_summary(h);
		near(s.min, (double)values[i], 0);
		assert_true(s.min <= s.p50 && s.p50 <= s.p90 && s.p90 <= s.p99);
		assert_true(s.p99 <= s.p999 && s.p999 <= s.max);
	}
	free(h);
}

static void generator_known_answers(void **state)
{
	struct rng r;

	rng_seed(&r, 0);
	assert_true(r.s[0] == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(r.s[1] == UINT64_C(0x6e789e6aa1b965f4));
	r = (struct rng){ { 1, 2, 3, 4 } };
	assert_true(rng_next(&r) == 11520);
	assert_true(rng_next(&r) == 0);
	assert_true(rng_next(&r) == 1509978240);
	assert_true(rng_next(&r) == UINT64_C(1215971899390074240));
}

static void permutation_is_one(void **state)
{
	enum { most = 300 };
	uint32_t p[most], again[most], other[most];
	struct rng r;

	for (uint64_t n = 0; n <= most; n++) {
		bool seen[most] = { false };

		rng_seed(&r, n);
		rng_permutation(&r, p, n);
		for (size_t i = 0; i < n; i++) {
			assert_true(p[i] < n && !seen[p[i]]);
			seen[p[i]] = true;
		}
	}
	rng_seed(&r, most);
	rng_permutation(&r, again, most);
	assert_memory_equal(p, again, sizeof(p));
	rng_seed(&r, most + 1);
	rng_permutation(&r, other, most);
	assert_memory_not_equal(p, other, sizeof(p));
}

static void permutations_are_equally_likely(void **state)
{
	int count[27] = { 0 }, kinds = 0;
	uint32_t p[3];
	struct rng r;

	rng_seed(&r, 9);
	for (int i = 0; i < 60000; i++) {
		rng_permutation(&r, p, 3);
		count[9 * p[0] + 3 * p[1] + p[2]]++;
	}
	for (size_t i = 0; i < COUNT(count); i++) {
		if (!count[i])
			continue;
		kinds++;
		assert_in_range(count[i], 9600, 10400); /* 10000 +- 4.4 sigma */
	}
	assert_int_equal(kinds, 6);
}

/* Makes an autoregressive series around 1 with lognormal steps. A share of it are outliers. */
static void fill(struct series *x, struct rng *r, size_t n, double rho, double outliers)
{
	double z = log(lognormal(r, 1));

	x->n = 0;
	for (size_t i = 0; i < n; i++) {
		double v;

		z = rho * z + sqrt(1 - rho * rho) * log(lognormal(r, 1));
		v = exp(0.08 * z);
		if (uniform(r) < outliers)
			v *= pow(uniform(r), -1 / 1.3);
		assert_int_equal(series_push(x, v), 0);
	}
}

static void epochs_hold_every_sample(void **state)
{
	static const struct {
		size_t n, epochs;
	} rows[] = {
		{ 12, 6 }, { 35, 6 }, { 48, 6 }, { 49, 7 }, { 100, 10 }, { 400, 20 }, { 1001, 20 }, { 100000, 20 },
	};

	struct rng r;

	rng_seed(&r, 10);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct series x = { 0 }, epochs = { 0 };

		/* alternating up and down: no sample resembles the one before */
		for (size_t k = 0; k < rows[i].n; k++)
			assert_int_equal(series_push(&x, (k % 2 ? 2 : 1) + uniform(&r)), 0);
		assert_int_equal(series_epochs(&x, &epochs), 0);
		assert_int_equal(epochs.n, rows[i].epochs);
		for (size_t k = 0; k < epochs.n; k++) {
			size_t first = k * x.n / epochs.n, end = (k + 1) * x.n / epochs.n;

			near(epochs.s[k], median(x.s + first, end - first), 1e-15);
		}
		series_free(&x);
		series_free(&epochs);
	}
}

/* Epochs are as long as samples depend on one another; otherwise there are none. */
static void epochs_outlast_dependence(void **state)
{
	static const struct {
		double rho;
		size_t n, least, most;
	} rows[] = {
		{ 0.3, 400, 20, 20 }, { 0.6, 400, 20, 20 }, { 0.9, 400, 7, 17 }, { 0.9, 2000, 20, 20 },
		{ 0.9, 80, 0, 0 }, { 0.6, 20, 0, 0 },
	};
	struct rng r;

	rng_seed(&r, 14);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct series x = { 0 }, epochs = { 0 };
		int err;

		fill(&x, &r, rows[i].n, rows[i].rho, 0);
		assert_true(series_depends(&x));
		err = series_epochs(&x, &epochs);
		assert_int_equal(err, rows[i].least ? 0 : -1);
		assert_in_range(epochs.n, rows[i].least, rows[i].most);
		assert_int_equal(summarise(&x).method, err ? CI_NONE : CI_EPOCHS);
		assert_true(isnan(summarise(&x).hi) == (err != 0));
		series_free(&x);
		series_free(&epochs);
	}
}

/* Times in whole steps of a clock can all be equal. They are no more precise than a step. */
static void interval_is_a_step_wide(void **state)
{
	struct series x = { .s = (double[]){ 5, 5, 5, 5, 5, 5 }, .n = 6 };
	struct summary s = summarise(&x);

	near(s.hi - s.lo, 0, 0);
	summary_widen(&s, 0.5);
	near(s.lo, 4.75, 0);
	near(s.hi, 5.25, 0);
	summary_widen(&s, 0.1);
	near(s.lo, 4.75, 0);
	x.n = 5;
	s = summarise(&x);
	summary_widen(&s, 0.5);
	assert_true(isnan(s.lo) && isnan(s.hi) && s.method == CI_NONE);
}

/*
 * Six or more visits bound the median by their own medians. With fewer, visits that agree are
 * pooled.
 */
static void visits_that_disagree_are_found(void **state)
{
	static const struct {
		double level[7];
		size_t n;
		enum ci_method method;
		double lo, hi;		/* NaN: within the noise of the level */
	} rows[] = {
		{ { 1, 1, 1 }, 3, CI_ORDER, NAN, NAN },
		{ { 1, 2, 1 }, 3, CI_VISITS, 1, 2 },
		{ { 3, 2, 4 }, 3, CI_VISITS, 2, 4 },
		{ { 1, 2, 1, 2, 1, 2 }, 6, CI_VISITS, 1, 2 },
		{ { 1, 1, 1, 1, 1, 1 }, 6, CI_VISITS, 1, 1 },
		{ { 1, 1.5, 2, 2.5, 3, 3.5, 4 }, 7, CI_VISITS, 1, 4 },
		{ { 1 }, 1, CI_ORDER, NAN, NAN },
	};
	struct rng r;

	rng_seed(&r, 15);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct series x = { 0 };
		struct summary s;
		size_t ends[7];

		for (size_t v = 0; v < rows[i].n; v++) {
			for (size_t k = 0; k < 40; k++)
				assert_int_equal(series_push(&x, rows[i].level[v] +
							     0.01 * uniform(&r)), 0);
			ends[v] = x.n;
		}
		s = summarise_visits(&x, ends, rows[i].n);
		assert_int_equal(s.n, x.n);
		assert_int_equal(s.method, rows[i].method);
		assert_true(s.lo <= s.p50 && s.p50 <= s.hi);
		if (rows[i].method == CI_VISITS) {
			assert_true(fabs(s.lo - rows[i].lo) < 0.02);
			assert_true(fabs(s.hi - rows[i].hi) < 0.02);
		} else {
			assert_true(s.hi - s.lo < 0.01);
		}
		series_free(&x);
	}
}

/*
 * The bounds are the least and the largest median of six visits. One visit with fewer than 30
 * samples has no bounds.
 */
static void medians_of_six_visits_are_bounds(void **state)
{
	static const double medians[] = { 1, 1.02, 1.11, 1.01, 1.1, 1.03 };
	const size_t ends[] = { 1, 2, 3, 4, 5, 6 };
	double many[30];
	struct series x = { (double *)(uintptr_t)medians, 6, 0 }, one = { many, 29, 0 };
	struct summary s = summarise_visits(&x, ends, 6);

	near(s.p50, 1.025, 1e-12);
	assert_true(s.lo == 1 && s.hi == 1.11 && s.method == CI_VISITS);
	for (size_t i = 0; i < COUNT(many); i++)
		many[i] = 1 + 0.01 * (double)(i * 7 % 30);
	s = summarise_visits(&one, &one.n, 1);
	assert_true(isnan(s.lo) && isnan(s.hi) && s.method == CI_NONE);
	assert_true(s.p50 > 0);
	one.n = 30;
	assert_int_equal(summarise_visits(&one, &one.n, 1).method, CI_ORDER);
}

static void clusters_of_events_widen_the_interval(void **state)
{
	static const struct {
		size_t n, every, length;	/* clusters */
		double apart;
	} rows[] = {
		{ 1000, 100, 1, 1 }, { 1000, 100, 5, 0.2 }, { 1000, 10, 1, 0.01 }, { 1000, 11, 1, 1 },
		{ 1000, 2000, 0, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct series x = { 0 };

		for (size_t k = 0; k < rows[i].n; k++)
			assert_int_equal(series_push(&x, k % rows[i].every < rows[i].length ? 2 : 1), 0);
		near(independent_share(&x, 1), rows[i].apart, 0.02);
		near(independent_share(&x, 2), 1, 0);
		series_free(&x);
	}
	near(quantile_min_samples(0.5), 6, 0);
	near(quantile_min_samples(0.9), 36, 0);
	near(quantile_min_samples(0.99), 368, 0);
	near(quantile_min_samples(0.999), 3688, 0);
}

static void too_few_samples_have_no_epochs(void **state)
{
	struct series x = { 0 }, epochs = { 0 };

	assert_int_equal(series_epochs(&x, &epochs), -1);
	for (int i = 0; i < 11; i++)
		assert_int_equal(series_push(&x, i), 0);
	assert_int_equal(series_epochs(&x, &epochs), -1);
	series_free(&x);
	series_free(&epochs);
}

/*
 * Outliers hide the autocorrelation of the samples, but not that of the side of the median on which
 * each sample lies.
 */
static void dependence_is_seen(void **state)
{
	static const struct {
		double rho, outliers;
		bool depends;
	} rows[] = { { 0, 0, false }, { 0, 0.03, false }, { 0.3, 0, true }, { 0.3, 0.03, true }, { 0.9, 0.03, true } };
	struct series x = { 0 };
	struct rng r;
	int hidden = 0;

	rng_seed(&r, 11);
	assert_false(series_depends(&x));
	for (size_t i = 0; i < COUNT(rows); i++)
		for (int trial = 0; trial < 20; trial++) {
			fill(&x, &r, 2000, rows[i].rho, rows[i].outliers);
			assert_int_equal(series_depends(&x), rows[i].depends);
			hidden += rows[i].depends && summarise(&x).acf1 < 0.1;
		}
	assert_in_range(hidden, 10, 40);
	for (size_t i = 0; i < x.n; i++)
		x.s[i] = 3;
	assert_false(series_depends(&x));
	series_free(&x);
}

static double plain_median(struct rng *r, const struct series *x)
{
	struct series drawn = { 0 };
	double median;

	for (size_t i = 0; i < x->n; i++)
		assert_int_equal(series_push(&drawn, x->s[rng_next(r) % x->n]), 0);
	median = summarise(&drawn).p50;
	series_free(&drawn);
	return median;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Compares with medians of resamples that are drawn sample by sample. */
static void bootstrap_is_that_of_resamples(void **state)
{
	static const size_t ns[] = { 6, 7, 20, 101 };
	static double plain[20000];
	struct series one = { .s = (double[]){ 2 }, .n = 1 }, x = { 0 };
	struct rng r;

	rng_seed(&r, 12);
	for (size_t k = 0; k < COUNT(ns); k++) {
		struct ratio got;
		size_t below = 0, above = 0;

		fill(&x, &r, ns[k], 0, 0);
		assert_int_equal(median_ratio(&one, &x, COUNT(plain), 1, &got), 0);
		for (size_t i = 0; i < COUNT(plain); i++) {
			plain[i] = plain_median(&r, &x) / 2;
			below += plain[i] < got.interval.lo;
			above += plain[i] > got.interval.hi;
		}
		/* 2.5 % lie beyond each bound; a value that many draws share may be a bound */
		assert_in_range(below, 0, 600);
		assert_in_range(above, 0, 600);
		qsort(plain, COUNT(plain), sizeof(*plain), ascending);
		assert_true(got.interval.lo <= plain[600] && got.interval.hi >= plain[COUNT(plain) - 600]);
	}
	series_free(&x);
}

static void ratio_of_medians_is_covered(void **state)
{
	static const struct {
		size_t n;
		double rho;
	} rows[] = { { 6, 0 }, { 20, 0 }, { 100, 0 }, { 400, 0 }, { 100, 0.6 }, { 400, 0.6 } };
	struct series a = { 0 }, b = { 0 };
	struct rng r;

	rng_seed(&r, 13);
	for (size_t k = 0; k < COUNT(rows); k++) {
		int covered = 0;

		for (int trial = 0; trial < 1000; trial++) {
			struct series ea = { 0 }, eb = { 0 };
			struct ratio got;

			fill(&a, &r, rows[k].n, rows[k].rho, 0.03);
			fill(&b, &r, rows[k].n, rows[k].rho, 0.03);
			if (rows[k].rho > 0) {
				assert_int_equal(series_epochs(&a, &ea), 0);
				assert_int_equal(series_epochs(&b, &eb), 0);
			}
			assert_int_equal(median_ratio(ea.n ? &ea : &a, eb.n ? &eb : &b, 400, (uint64_t)trial, &got), 0);
			covered += got.interval.lo <= 1 && 1 <= got.interval.hi;
			series_free(&ea);
			series_free(&eb);
		}
		assert_in_range(covered, 930, 990);
	}
	series_free(&a);
	series_free(&b);
}

static void the_ratio_of_known_numbers_is_computed(void **state)
{
	struct series none = { 0 }, a = { .s = (double[]){ 2 }, .n = 1 }, b = { .s = (double[]){ 3 }, .n = 1 };
	struct series some = { .s = (double[]){ 5, 1, 4, 2, 3, 6 }, .n = 6 };
	struct ratio got, again;

	assert_int_equal(median_ratio(&a, &b, 100, 1, &got), 0);
	near(got.interval.lo, 1.5, 1e-15);
	near(got.interval.hi, 1.5, 1e-15);
	assert_int_equal(median_ratio(&some, &some, 2000, 1, &got), 0);
	assert_int_equal(median_ratio(&some, &some, 2000, 1, &again), 0);
	assert_true(got.interval.lo == again.interval.lo && got.interval.hi == again.interval.hi && got.interval.lo < 1 && got.interval.hi > 1);
	near(some.s[0], 5, 0);
	assert_int_equal(median_ratio(&none, &b, 100, 1, &got), -1);
	assert_int_equal(median_ratio(&a, &none, 100, 1, &got), -1);
	assert_int_equal(median_ratio(&a, &b, 0, 1, &got), -1);
}

/* Equal medians have p < 0.05 in about a twentieth of the cases, and rarely p < 0.005. */
static void ratio_has_a_p_value(void **state)
{
	struct series a = { 0 }, b = { 0 };
	int found = 0, certain = 0;
	struct ratio got;
	struct rng r;

	rng_seed(&r, 16);
	for (int trial = 0; trial < 1000; trial++) {
		fill(&a, &r, 40, 0, 0);
		fill(&b, &r, 40, 0, 0);
		assert_int_equal(median_ratio(&a, &b, 1000, (uint64_t)trial, &got), 0);
		found += got.p_value < 0.05;
		certain += got.p_value < 0.005;
		assert_int_equal(got.p_value < 0.045, (got.interval.lo > 1 || got.interval.hi < 1) &&
				 got.p_value < 0.045);
	}
	assert_in_range(found, 25, 75);
	assert_in_range(certain, 0, 15);
	fill(&a, &r, 6, 0, 0);
	b.n = 0;
	for (size_t i = 0; i < a.n; i++)
		assert_int_equal(series_push(&b, 2 * a.s[i]), 0);
	assert_int_equal(median_ratio(&a, &b, 1000, 1, &got), 0);
	near(got.p_value, 2 / 924.0, 1e-9);	/* 12 over 6 */
	series_free(&a);
	series_free(&b);
}

static void selection_agrees_with_sorting(void **state)
{
	static const size_t ns[] = { 1, 2, 3, 10, 101, 1000 };
	static double x[1000], sorted[1000];
	struct rng r;

	rng_seed(&r, 17);
	for (size_t i = 0; i < 10 * COUNT(ns); i++) {
		size_t n = ns[i % COUNT(ns)], k = rng_next(&r) % n;

		for (size_t j = 0; j < n; j++)	/* with ties, and sometimes in order */
			x[j] = sorted[j] = i % 7 ? (double)(rng_next(&r) % 50) : (double)j;
		sort_doubles(sorted, n);
		near(select_double(x, n, k), sorted[k], 0);
		for (size_t j = 0; j < n; j++)
			assert_true(j < k ? x[j] <= x[k] : x[j] >= x[k]);
	}
}

/*
 * The interval holds the ratio, is based on epochs if samples depend on one another, and needs 6
 * epochs.
 */
static void a_ratio_of_medians_has_its_interval(void **state)
{
	double a[60], b[60], slow[60];
	struct series x = { a, COUNT(a), 0 }, y = { b, COUNT(b), 0 }, z = { slow, COUNT(slow), 0 };
	struct interval got, wide;
	struct rng r;
	double state_of = 0;

	rng_seed(&r, 7);
	for (size_t i = 0; i < COUNT(a); i++) {
		a[i] = lognormal(&r, 0.02);
		b[i] = 1.5 * lognormal(&r, 0.02);
		state_of = 0.8 * state_of + 0.012 * log(lognormal(&r, 1));
		slow[i] = 1.5 * exp(state_of);
	}
	got = median_ratio_interval(&x, &y, 1);
	assert_true(got.lo < 1.5 && got.hi > 1.5 && got.hi < 1.03 * got.lo);
	assert_true(series_depends(&z));
	wide = median_ratio_interval(&x, &z, 1);
	assert_true(isnan(wide.lo) || wide.hi / wide.lo > got.hi / got.lo);
	y.n = 5;
	assert_true(isnan(median_ratio_interval(&x, &y, 1).lo));
	assert_true(isnan(median_ratio_interval(&y, &x, 1).hi));
}

static void means_of_parts_are_those_of_the_whole(void **state)
{
	double s[] = { 1, 3, 5, 7, 9, 11, 13 };
	struct series x = { s, COUNT(s), 0 }, means = { NULL };

	assert_int_equal(series_means(&x, 3, &means), 0);
	assert_int_equal(means.n, 3);
	near(means.s[0], 2, 1e-15);
	near(means.s[1], 6, 1e-15);
	near(means.s[2], 11, 1e-15);
	series_free(&means);
}

static void stalled_is_what_the_mean_has_beyond_the_median(void **state)
{
	double times[] = { 1, 1, 1.1, 1, 9 };
	struct series x = { times, 5, 0 }, none = { 0 };

	near(series_mean(&x), 2.62, 1e-12);
	near(stalled_share(summarise(&x).p50, series_mean(&x)), 0.618, 1e-3);
	assert_true(isnan(series_mean(&none)));
	assert_true(stalled_share(2, 1) == 0);	/* never negative */
	assert_true(isnan(stalled_share(NAN, 1)) && isnan(stalled_share(1, NAN)));
}

static void an_interval_that_ends_at_its_value_says_nothing(void **state)
{
	static const struct {
		struct interval i;
		double value;
		bool known;
	} rows[] = {
		{ { 1, 3 }, 2, true },	   { { 1, INFINITY }, 2, true }, { { 1, 1 }, 1, false },
		{ { 1, 2 }, 2, false },	   { { 1, 2 }, 1, false },	 { { 1, 2 }, 3, false },
		{ { NAN, NAN }, 2, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(!isnan(interval_around(rows[i].i, rows[i].value).lo),
				 rows[i].known);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_that_ends_at_its_value_says_nothing),
		cmocka_unit_test(ranks_of_the_median),
		cmocka_unit_test(fewest_samples_of_a_quantile),
		cmocka_unit_test(normal_form_is_off_by_one_at_most),
		cmocka_unit_test(summaries_of_few_samples_are_exact),
		cmocka_unit_test(quantiles_of_ranks_are_those_of_the_definition),
		cmocka_unit_test(acf1_of_an_autoregressive_series),
		cmocka_unit_test(median_interval_covers),
		cmocka_unit_test(histogram_round_trip),
		cmocka_unit_test(histogram_agrees_with_sorting),
		cmocka_unit_test(histogram_stays_within_extremes),
		cmocka_unit_test(generator_known_answers),
		cmocka_unit_test(permutation_is_one),
		cmocka_unit_test(permutations_are_equally_likely),
		cmocka_unit_test(epochs_hold_every_sample),
		cmocka_unit_test(epochs_outlast_dependence),
		cmocka_unit_test(interval_is_a_step_wide),
		cmocka_unit_test(visits_that_disagree_are_found),
		cmocka_unit_test(medians_of_six_visits_are_bounds),
		cmocka_unit_test(clusters_of_events_widen_the_interval),
		cmocka_unit_test(too_few_samples_have_no_epochs),
		cmocka_unit_test(dependence_is_seen),
		cmocka_unit_test(bootstrap_is_that_of_resamples),
		cmocka_unit_test(ratio_of_medians_is_covered),
		cmocka_unit_test(the_ratio_of_known_numbers_is_computed),
		cmocka_unit_test(ratio_has_a_p_value),
		cmocka_unit_test(selection_agrees_with_sorting),
		cmocka_unit_test(a_ratio_of_medians_has_its_interval),
		cmocka_unit_test(means_of_parts_are_those_of_the_whole),
		cmocka_unit_test(stalled_is_what_the_mean_has_beyond_the_median),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
