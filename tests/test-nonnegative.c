/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests least squares with non-negative parameters: the conditions of the minimum must hold, on
 * random problems.
 */
#include "model/nonnegative.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"

#define POINTS 12

static double uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Karush, Kuhn, Tucker: no parameter is negative, and no admissible change reduces the squares. */
static void least(const struct nonnegative *e, const double *v)
{
	for (size_t i = 0; i < e->n; i++) {
		double slope = -e->b[i], scale = fabs(e->b[i]);

		for (size_t j = 0; j < e->n; j++) {
			slope += e->A[i][j] * v[j];
			scale += fabs(e->A[i][j] * v[j]);
		}
		assert_true(v[i] >= 0);
		assert_true(v[i] > 0 ? fabs(slope) <= 1e-9 * scale : slope >= -1e-9 * scale);
	}
}

static void random_problems_are_solved_as_well_as_can_be(void **state)
{
	size_t zeros = 0, all = 0;
	struct rng r;

	rng_seed(&r, 1);
	for (int k = 0; k < 500; k++) {
		struct nonnegative e = { .n = 1 + (size_t)k % NONNEGATIVE_MOST };
		double v[NONNEGATIVE_MOST], row[NONNEGATIVE_MOST];

		for (int i = 0; i < POINTS; i++) {
			for (size_t j = 0; j < e.n; j++)
				row[j] = uniform(&r);
			nonnegative_add(&e, row, uniform(&r) - 0.3, uniform(&r));
		}
		nonnegative_solve(&e, v);
		least(&e, v);
		for (size_t j = 0; j < e.n; j++)
			zeros += !(v[j] > 0);
		all += e.n;
	}
	assert_true(zeros > all / 10 && zeros < all * 9 / 10);
}

static void lines_have_no_negative_parameters(void **state)
{
	static const struct {
		double y[3], v[2];
	} cases[] = {
		{ { 1, 2, 3 }, { 1, 1 } }, { { 3, 2, 1 }, { 2, 0 } }, { { -1, 0, 1 }, { 0, 0.4 } }, { { -1, -2, -3 }, { 0, 0 } },
		{ { 1, NAN, 2 }, { 1, 0.5 } },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct nonnegative e = { .n = 2 };
		double v[2];

		for (int x = 0; x < 3; x++)
			nonnegative_add(&e, (double[]){ 1, x }, cases[c].y[x], 1);
		nonnegative_solve(&e, v);
		assert_true(fabs(v[0] - cases[c].v[0]) < 1e-12 && fabs(v[1] - cases[c].v[1]) < 1e-12);
	}
}

/* Parameters that the points cannot distinguish, or no points. */
static void points_that_tell_nothing_apart_are_solved_somehow(void **state)
{
	struct nonnegative e = { .n = 2 };
	double v[2];

	nonnegative_solve(&e, v);
	assert_true(!(v[0] > 0) && !(v[1] > 0));
	nonnegative_add(&e, (double[]){ 1, 7 }, 14, 1);
	nonnegative_add(&e, (double[]){ 1, 7 }, 5, 0);
	nonnegative_solve(&e, v);
	assert_true(v[0] >= 0 && v[1] >= 0 && fabs(v[0] + 7 * v[1] - 14) < 1e-12);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_problems_are_solved_as_well_as_can_be),
		cmocka_unit_test(lines_have_no_negative_parameters),
		cmocka_unit_test(points_that_tell_nothing_apart_are_solved_somehow),
	};

	return cmocka_run_group_tests_name("nonnegative", tests, NULL, NULL);
}
