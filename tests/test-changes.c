/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/changes.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 8640

static double uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) / 9007199254740992.0;
}

static double normal(struct rng *r)
{
	double u = 1 - uniform(r), v = uniform(r);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/*
 * Makes noise of 2 % with this autocorrelation. A share `outliers` of the values is three times as
 * high.
 */
static const double *noise(uint64_t seed, size_t n, double rho, double outliers)
{
	static double x[MOST];
	struct rng r;
	double last;

	rng_seed(&r, seed);
	last = normal(&r);
	for (size_t i = 0; i < n; i++) {
		last = rho * last + sqrt(1 - rho * rho) * normal(&r);
		x[i] = 0.02 * last + (uniform(&r) < outliers ? log(3) : 0);
	}
	return x;
}

/* The same noise with a step of the logarithm from index `from` to before `to`. */
static const double *stepped(const double *quiet, size_t n, size_t from, size_t to, double step)
{
	static double x[MOST];

	for (size_t i = 0; i < n; i++)
		x[i] = quiet[i] + (i >= from && i < to ? step : 0);
	return x;
}

/* Hours of other work make a part of the nights noisier; their median stays. */
static void a_noisier_part_has_no_change(void **state)
{
	size_t with = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct change_points found;
		double x[MOST];

		memcpy(x, noise(seed, MOST, 0, 0), sizeof(x));
		for (size_t i = 0; i < MOST; i++)
			x[i] *= i < MOST * 6 / 10 ? 0.5 : 4;
		change_points_find(x, MOST, 0.05, &found);
		with += found.n > 0;
		change_points_free(&found);
	}
	assert_in_range(with, 0, 1);
}

static void noise_with_outliers_has_no_change(void **state)
{
	static const double rhos[] = { 0, 0.3, 0.6, 0.8 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct change_points found;

		change_points_find(noise(i, MOST, rhos[i], 0.01), MOST, 0.05, &found);
		if (found.n)
			fail_msg("rho %g: %zu changes, the first at %zu", rhos[i], found.n, found.at[0].at);
		change_points_free(&found);
	}
}

static void lasting_steps_of_any_size_are_found_where_they_are(void **state)
{
	static const double steps[] = { 0.1, 0.2, 0.5, 1, -0.1 };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			struct change_points found;
			const double *x = stepped(noise(seed, 360, 0, 0), 360, 200, 360, log1p(steps[i]));

			change_points_find(x, 360, 0.05, &found);
			assert_int_equal(found.n, 1);
			assert_true(found.at[0].at >= 199 && found.at[0].at <= 201);
			assert_true(found.at[0].first <= found.at[0].at && found.at[0].at <= found.at[0].last);
			assert_true(fabs(found.at[0].effect - log1p(steps[i])) < 0.01);
			assert_true((found.at[0].ratio.lo > 1) == (steps[i] > 0));
			change_points_free(&found);
		}
}

/* Tests 60 nights, and 37 nights with seven after the step. */
static void ten_percent_are_found_in_few_values(void **state)
{
	static const size_t cases[][2] = { { 60, 30 }, { 37, 30 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		size_t n = cases[i][0], at = cases[i][1], seen = 0;

		for (uint64_t seed = 0; seed < 200; seed++) {
			struct change_points found;

			change_points_find(stepped(noise(seed, n, 0, 0), n, at, n, 0.1), n, 0.05, &found);
			seen += found.n == 1 && labs((long)found.at[0].at - (long)at) <= 2;
			change_points_free(&found);
		}
		if (seen < 185)
			fail_msg("%zu values: %zu of 200", n, seen);
	}
}

static void the_interval_of_a_date_has_it_in_95_percent(void **state)
{
	int held = 0, n = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct change_points found;
		const double *x = stepped(noise(seed, 60, 0, 0), 60, 30, 60, 0.06);

		change_points_find(x, 60, 0, &found);
		if (found.n == 1) {
			n++;
			held += found.at[0].first <= 30 && 30 <= found.at[0].last;
		}
		change_points_free(&found);
	}
	if (n < 300 || held < 0.93 * n)
		fail_msg("%d of %d", held, n);
}

static void a_step_that_ends_is_found_at_both_ends(void **state)
{
	struct change_points found;
	const double *x = stepped(noise(5, MOST, 0, 0.01), MOST, 4000, 4060, log(1.05));

	(void)state;
	change_points_find(x, MOST, 0.03, &found);
	assert_int_equal(found.n, 2);
	assert_true(labs((long)found.at[0].at - 4000) < 6 && labs((long)found.at[1].at - 4060) < 6);
	change_points_free(&found);
}

static void values_without_scatter_and_few_of_them_are_no_harm(void **state)
{
	static const double flat[20], step[20] = { [10] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct change_points found;

	(void)state;
	change_points_find(flat, 20, 0.05, &found);
	assert_int_equal(found.n, 0);
	change_points_free(&found);
	change_points_find(step, 20, 0.05, &found);
	assert_true(found.n == 1 && found.at[0].at == 10 && found.at[0].first == 10 && found.at[0].last == 10);
	change_points_free(&found);
	for (size_t n = 0; n < 12; n++) {
		change_points_find(step, n, 0.05, &found);
		assert_int_equal(found.n, 0);
		change_points_free(&found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_with_outliers_has_no_change),
		cmocka_unit_test(a_noisier_part_has_no_change),
		cmocka_unit_test(lasting_steps_of_any_size_are_found_where_they_are),
		cmocka_unit_test(ten_percent_are_found_in_few_values),
		cmocka_unit_test(the_interval_of_a_date_has_it_in_95_percent),
		cmocka_unit_test(a_step_that_ends_is_found_at_both_ends),
		cmocka_unit_test(values_without_scatter_and_few_of_them_are_no_harm),
	};

	return cmocka_run_group_tests_name("changes", tests, NULL, NULL);
}
