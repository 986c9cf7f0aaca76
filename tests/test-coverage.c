/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests how often the final interval of a point holds the true median. Repetitions are drawn from
 * series with a known median. The rule of --ci 5 judges them like those of a run.
 */
#include "base/random.h"
#include "measure/plan/stop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define TRIALS 1000
#define MOST_VISITS 6
#define MODES_APART 0.1
#define MODES_NOISE 0.02

/* The source of repetitions. */
struct source {
	const char *name;
	double sigma;		/* lognormal noise */
	double outliers;	/* share of Pareto's distribution, alpha = 1.3 */
	double rho;		/* of an autoregressive series */
	double change;		/* probability to change between two modes; 0: one mode */
	/* least share of intervals that hold the median, of one visit and of six */
	double one, six;
};

static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct rng *r)
{
	double radius = sqrt(-2 * log(uniform(r)));

	return radius * cos(6.283185307179586 * uniform(r));
}

/* The state of a source between two repetitions. */
struct state {
	double z;
	bool high;
};

static double next(const struct source *s, struct state *now, struct rng *r)
{
	double v;

	now->z = s->rho * now->z + sqrt(1 - s->rho * s->rho) * normal(r);
	now->high ^= uniform(r) < s->change;
	v = exp(s->sigma * now->z) * (1 + (now->high ? MODES_APART : 0));
	return uniform(r) < s->outliers ? v * pow(uniform(r), -1 / 1.3) : v;
}

/*
 * For each source: the coverage that the rule promises, and the simulated coverage less four
 * standard errors. Where a change within a point is only seen by chance, the bound says how far
 * coverage may drop.
 */
static const struct source sources[] = {
	{ "independent, 2 %", 0.02, 0, 0, 0, .one = 0.93, .six = 0.955 },
	{ "independent, 8 %", 0.08, 0, 0, 0, .one = 0.93, .six = 0.945 },
	{ "independent, 20 %", 0.2, 0, 0, 0, .one = 0.905, .six = 0.945 },
	{ "independent, 50 %", 0.5, 0, 0, 0, .one = 0.915, .six = 0.945 },
	{ "8 % and 3 % Pareto", 0.08, 0.03, 0, 0, .one = 0.93, .six = 0.945 },
	{ "autoregressive, 0.3", 0.08, 0, 0.3, 0, .one = 0.915, .six = 0.945 },
	{ "autoregressive, 0.6", 0.08, 0, 0.6, 0, .one = 0.935, .six = 0.945 },
	{ "autoregressive, 0.9", 0.08, 0, 0.9, 0, .one = 0.87, .six = 0.945 },
	{ "two modes, 0.1", MODES_NOISE, 0, 0, 0.1, .one = 0.84, .six = 0.92 },
	{ "two modes, 0.02", MODES_NOISE, 0, 0, 0.02, .one = 0.31, .six = 0.955 },
};

/* Draws the repetitions of a visit by the rule, and appends them to x. */
static void visit(const struct source *s, const struct stopping *rule, struct rng *r,
		  struct series *x)
{
	struct state now = { normal(r), s->change > 0 && uniform(r) < 0.5 };
	struct series own = { 0 };
	enum stop why = STOP_NOT;

	while (why == STOP_NOT) {
		double v = next(s, &now, r);

		assert_int_equal(series_push(&own, v), 0);
		assert_int_equal(series_push(x, v), 0);
		why = stop_now(rule, &own, 0);
	}
	series_free(&own);
}

/* Returns the share of intervals that hold the median, for points with this number of visits. */
static double coverage(const struct source *s, const struct stopping *rule, size_t visits,
		       struct rng *r, double *repetitions, double *empty)
{
	double median = 1 + (s->change > 0 ? MODES_APART / 2 : 0);
	int covered = 0, known = 0;
	struct series x = { 0 };

	*repetitions = 0;
	for (int t = 0; t < TRIALS; t++) {
		size_t ends[MOST_VISITS];
		struct summary sum;

		x.n = 0;
		for (size_t i = 0; i < visits; i++) {
			visit(s, rule, r, &x);
			ends[i] = x.n;
		}
		sum = summarise_visits(&x, ends, visits);
		known += sum.method != CI_NONE;
		covered += sum.lo <= median && median <= sum.hi;
		*repetitions += (double)x.n / TRIALS;
	}
	series_free(&x);
	*empty = 1 - known / (double)TRIALS;
	return covered / (double)known;
}

/* Tests the interval of a point that --ci ended, in one visit and in the usual six. */
static void intervals_hold_the_median(void **state)
{
	const struct stopping rules[] = { { .min = 6, .max = 1000, .ci = 0.05 },
					  { .min = 1, .max = 167, .ci = 0.05, .visits = 6 } };
	double n, empty, held;
	struct rng r;

	rng_seed(&r, 1);
	for (size_t i = 0; i < COUNT(sources); i++) {
		const struct source *s = &sources[i];

		for (size_t k = 0; k < COUNT(rules); k++) {
			double wanted = k ? s->six : s->one;
			size_t visits = k ? 6 : 1;

			held = coverage(s, &rules[k], visits, &r, &n, &empty);
			print_message("# %s, %d visits: %.3f, empty %.3f, n %.0f\n", s->name,
				      (int)visits, held, empty, n);
			if (!(held >= wanted))
				fail_msg("%s, %d visits: %.3f of the intervals hold the median, "
					 "expected %.3f", s->name, (int)visits, held, wanted);
		}
	}
}

/* Modes that last longer than a point: the visits see both modes in three of four points. */
static void visits_see_slow_modes(void **state)
{
	static const struct {
		size_t visits;
		double held;
	} rows[] = { { 3, 0.68 }, { 6, 0.92 } };
	struct stopping rule = { .min = 1, .max = 1000, .ci = 0.05 };
	double n, empty, held;
	struct rng r;

	rng_seed(&r, 2);
	for (size_t i = 0; i < COUNT(rows); i++) {
		rule.visits = rows[i].visits;
		rule.max = 1000 / rows[i].visits;
		held = coverage(&sources[COUNT(sources) - 1], &rule, rows[i].visits, &r, &n,
				&empty);
		print_message("# %d visits: %.3f, empty %.3f, n %.0f\n", (int)rows[i].visits,
			      held, empty, n);
		if (!(held >= rows[i].held))
			fail_msg("%d visits: %.3f of the intervals hold the median, expected %.3f",
				 (int)rows[i].visits, held, rows[i].held);
	}
	rule.visits = 3;
	held = coverage(&sources[1], &rule, 3, &r, &n, &empty);
	print_message("# 3 visits, independent: %.3f, empty %.3f, n %.0f\n", held, empty, n);
	assert_true(held >= 0.93);
}

/* About one in twelve independent series is taken for a dependent one. */
static void independent_series_are_seldom_doubted(void **state)
{
	static const size_t lengths[] = { 6, 10, 22, 50, 109, 400 };
	const struct source plain = { .sigma = 0.08 };
	struct rng r;

	rng_seed(&r, 3);
	for (size_t i = 0; i < COUNT(lengths); i++) {
		struct series x = { 0 };
		int doubted = 0;

		for (int t = 0; t < TRIALS; t++) {
			struct state now = { 0 };

			x.n = 0;
			while (x.n < lengths[i])
				assert_int_equal(series_push(&x, next(&plain, &now, &r)), 0);
			doubted += series_depends(&x);
		}
		print_message("# n = %d: %.3f doubted\n", (int)lengths[i], doubted / (double)TRIALS);
		assert_true(doubted <= 0.12 * TRIALS);
		series_free(&x);
	}
}

/*
 * Tests the interval of the ratio of two medians; it uses epochs where repetitions depend on one
 * another.
 */
static void ratios_hold_the_truth(void **state)
{
	static const struct {
		double rho;
		size_t n;
		double held;
	} rows[] = {
		{ 0, 6, 0.94 }, { 0, 20, 0.94 }, { 0, 400, 0.92 }, { 0.3, 400, 0.92 },
		{ 0.6, 400, 0.92 }, { 0.9, 400, 0.85 }, { 0.9, 80, 0.7 },
	};
	struct rng r;

	rng_seed(&r, 4);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct source s = { .sigma = 0.08, .rho = rows[i].rho };
		int covered = 0, known = 0;

		for (int t = 0; t < TRIALS / 4; t++) {
			struct series x[2] = { { 0 }, { 0 } }, epochs[2] = { { 0 }, { 0 } };
			struct ratio got;
			bool good = true;

			for (int side = 0; side < 2; side++) {
				struct state now = { normal(&r), false };

				while (x[side].n < rows[i].n)
					assert_int_equal(series_push(&x[side],
								     next(&s, &now, &r)), 0);
				if (series_depends(&x[side]))
					good &= !series_epochs(&x[side], &epochs[side]);
			}
			if (good) {
				assert_int_equal(median_ratio(epochs[0].n ? &epochs[0] : &x[0],
							      epochs[1].n ? &epochs[1] : &x[1],
							      400, (uint64_t)t, &got), 0);
				known++;
				covered += got.interval.lo <= 1 && 1 <= got.interval.hi;
			}
			for (int side = 0; side < 2; side++) {
				series_free(&x[side]);
				series_free(&epochs[side]);
			}
		}
		print_message("# ratio, %g, n = %d: %.3f, known %d\n", rows[i].rho, (int)rows[i].n,
			      covered / (double)known, known);
		if (known >= TRIALS / 40)
			assert_true(covered >= rows[i].held * known);
	}
}

/* Tests the interval of the 99 % quantile of single events. */
static void percentiles_are_held(void **state)
{
	static const struct {
		double rho;
		size_t n;
		double held, known;
	} rows[] = {
		{ 0, 367, 0, 0 }, { 0, 1000, 0.93, 0.9 }, { 0, 5000, 0.93, 1 },
		{ 0.6, 5000, 0.9, 1 }, { 0.9, 5000, 0.85, 1 }, { 0.9, 20000, 0.88, 1 },
	};
	const double p99 = exp(0.08 * 2.3263478740);
	struct rng r;

	rng_seed(&r, 5);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct source s = { .sigma = 0.08, .rho = rows[i].rho };
		int covered = 0, known = 0, trials = TRIALS / 4;
		struct series x = { 0 };

		for (int t = 0; t < trials; t++) {
			struct state now = { normal(&r), false };
			struct interval got;

			x.n = 0;
			while (x.n < rows[i].n)
				assert_int_equal(series_push(&x, next(&s, &now, &r)), 0);
			got = events_interval(&x, 0.99);
			known += !isnan(got.lo);
			covered += got.lo <= p99 && p99 <= got.hi;
		}
		print_message("# p99, %g, n = %d: %.3f, known %d of %d\n", rows[i].rho,
			      (int)rows[i].n, covered / (double)known, known, trials);
		assert_true(known >= rows[i].known * trials && (known || !rows[i].known));
		assert_true(covered >= rows[i].held * known);
		series_free(&x);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_median),
		cmocka_unit_test(visits_see_slow_modes),
		cmocka_unit_test(independent_series_are_seldom_doubted),
		cmocka_unit_test(ratios_hold_the_truth),
		cmocka_unit_test(percentiles_are_held),
	};

	return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
