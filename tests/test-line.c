/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the line through times over message lengths. */
#include "base/line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MOST 9

static void assert_near(double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%.17g is not %.17g", got, want);
}

static void assert_fit(struct line_fit fit, double t0, double r_inf, double n_half)
{
	assert_near(fit.t0, t0);
	assert_near(fit.r_inf, r_inf);
	assert_near(fit.n_half, n_half);
}

static void points_on_a_line_have_its_parameters(void **state)
{
	static const double sizes[] = { 1024, 0, 64, 256, 65536, 64, 1 };	/* in any order, some twice */
	static const double lines[][2] = { { 1e-6, 1e-9 }, { 5e-6, 1e-9 }, { 1, 0.5 }, { 1e-12, 1e-9 } };

	for (size_t i = 0; i < COUNT(lines); i++)
		for (size_t n = 3; n <= COUNT(sizes); n++) {
			double t0 = lines[i][0], slope = lines[i][1], t[COUNT(sizes)];

			for (size_t k = 0; k < n; k++)
				t[k] = t0 + slope * sizes[k];
			if (t0 < 1e-9)		/* rounding error */
				assert_near(line_fit(sizes, t, n).r_inf, 1 / slope);
			else
				assert_fit(line_fit(sizes, t, n), t0, 1 / slope, t0 / slope);
		}
}

static void too_few_lengths_have_no_line(void **state)
{
	static const double sizes[] = { 64, 64, 256, 256, 64 }, t[] = { 1, 2, 3, 4, 5 };

	for (size_t n = 0; n <= COUNT(sizes); n++)
		assert_fit(line_fit(sizes, t, n), NAN, NAN, NAN);
}

static void times_that_do_not_grow(void **state)
{
	static const double sizes[] = { 0, 64, 256, 1024 };
	static const double flat[] = { 2e-6, 2e-6, 2e-6, 2e-6 }, falling[] = { 4e-6, 3e-6, 2e-6, 1e-6 };
	static const double hardly[] = { 1, 1 + 64e-8, 1 + 256e-8, 1 + 1024e-8 };

	assert_fit(line_fit(sizes, flat, 4), 2e-6, NAN, NAN);
	assert_near(line_fit(sizes, falling, 4).r_inf, NAN);
	assert_near(line_fit(sizes, falling, 4).n_half, NAN);
	assert_fit(line_fit(sizes, hardly, 4), 1, NAN, NAN);
}

/* A line that meets the axis below 0 has no size of half throughput. */
static void overhead_below_zero(void **state)
{
	static const double sizes[] = { 100, 200, 300 }, t[] = { 5e-9, 105e-9, 205e-9 };

	assert_fit(line_fit(sizes, t, 3), -95e-9, 1e9, NAN);
}

/*
 * The median of slopes tolerates 2 arbitrary points of 9. Here these are at the ends, where least
 * squares would follow them.
 */
static void two_outliers_of_nine_do_no_harm(void **state)
{
	double sizes[MOST], t[MOST];

	for (int i = 0; i < MOST; i++) {
		sizes[i] = 1000.0 * i;
		t[i] = 1e-6 + 1e-9 * sizes[i];
	}
	t[0] = 1;
	t[MOST - 1] = 0;
	assert_fit(line_fit(sizes, t, MOST), 1e-6, 1e9, 1000);
}

/*
 * Computed by hand: the slopes are 1, 2 and 1.5, their median is 1.5; the second case leaves 1, 0.5
 * and 1.
 */
static void the_example_worked_by_hand_is_fitted(void **state)
{
	static const double sizes[] = { 0, 1, 2 }, t[] = { 1, 2, 4 };

	assert_fit(line_fit(sizes, t, 3), 1, 1 / 1.5, 1 / 1.5);
}

/* Computed by hand. Values that are NaN or have no weight do not count. */
static void least_squares_are_those_worked_by_hand(void **state)
{
	static const struct {
		double x[4], y[4], w[4], a, b;
		size_t n;
		bool plain;
	} cases[] = {
		{ { 0, 1, 2 }, { 1, 3, 5 }, { 0 }, 1, 2, 3, true },
		{ { 0, 1, 2 }, { 0, 0, 3 }, { 0 }, -0.5, 1.5, 3, true },
		{ { 0, 1, 2 }, { 0, 0, 3 }, { 1, 2, 1 }, -0.75, 1.5, 3, false },
		{ { 0, 1, 2, 9 }, { 1, 3, 5, 0 }, { 1, 1, 1, 0 }, 1, 2, 4, false },
		{ { 0, 1, 9, 2 }, { 1, 3, NAN, 5 }, { 1, 1, 1, 1 }, 1, 2, 4, false },
		{ { 7, 7, 7 }, { 1, 2, 6 }, { 0 }, 3, 0, 3, true },
		{ { 0, 1 }, { 4, 5 }, { 1, 0 }, 4, 0, 2, false },
		{ { 0, 1 }, { 4, 5 }, { 0, 0 }, NAN, NAN, 2, false },
		{ { 0 }, { 0 }, { 0 }, NAN, NAN, 0, true },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct linear l = line_least_squares(cases[i].x, cases[i].y,
						     cases[i].plain ? NULL : cases[i].w, cases[i].n);

		assert_near(l.a, cases[i].a);
		assert_near(l.b, cases[i].b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_on_a_line_have_its_parameters),
		cmocka_unit_test(too_few_lengths_have_no_line),
		cmocka_unit_test(times_that_do_not_grow),
		cmocka_unit_test(overhead_below_zero),
		cmocka_unit_test(two_outliers_of_nine_do_no_harm),
		cmocka_unit_test(the_example_worked_by_hand_is_fitted),
		cmocka_unit_test(least_squares_are_those_worked_by_hand),
	};

	return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
