/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LIST(...)                                                                                  \
	{ (uint64_t[]){ __VA_ARGS__ }, COUNT(((uint64_t[]){ __VA_ARGS__ })) }

static void a_range_of_sizes_is_powers_of_two(void **state)
{
	static const struct {
		uint64_t min, max;
		int status;
	} rows[] = {
		{ 0, 20, ST_OK }, { 0, 0, ST_OK }, { 5, 7, ST_OK }, { 0, 63, ST_OK },
		{ 63, 63, ST_OK }, { 3, 2, ST_USAGE }, { 0, 64, ST_USAGE },
		{ 0, UINT64_MAX, ST_USAGE },
	};
	const struct numbers none = { 0 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct numbers list;

		assert_int_equal(plan_sizes(&none, rows[i].min, rows[i].max, &list),
				 rows[i].status);
		if (rows[i].status != ST_OK) {
			assert_null(list.v);
			continue;
		}
		assert_int_equal(list.n, rows[i].max - rows[i].min + 1);
		for (size_t s = 0; s < list.n; s++)
			assert_true(list.v[s] == UINT64_C(1) << (rows[i].min + s));
		free(list.v);
	}
}

static void sizes_that_are_given_are_taken(void **state)
{
	const struct numbers given = LIST(1024, 0, 64, 64, 7);
	struct numbers list;

	assert_int_equal(plan_sizes(&given, 9, 3, &list), ST_OK); /* the range has no effect */
	assert_int_equal(list.n, given.n);
	assert_ptr_not_equal(list.v, given.v);
	assert_memory_equal(list.v, given.v, given.n * sizeof(*given.v));
	free(list.v);
}

static void points_are_the_product(void **state)
{
	const struct numbers sizes = LIST(1, 8), windows = LIST(1, 4, 16), batches = LIST(1, 8);
	static const uint64_t want[][3] = {
		{ 1, 1, 1 }, { 8, 1, 1 }, { 1, 4, 1 }, { 8, 4, 1 },
		{ 1, 16, 1 }, { 8, 16, 1 }, { 1, 16, 8 }, { 8, 16, 8 },
	};
	struct plan p = { .sizes = sizes };
	const struct spec none = { 0 };

	assert_int_equal(plan_add_windows(&p, &none, &windows, &batches), ST_OK);
	assert_int_equal(p.n, COUNT(want));
	for (size_t i = 0; i < p.n; i++) {
		assert_int_equal(p.specs[i].size, want[i][0]);
		assert_int_equal(p.specs[i].window, want[i][1]);
		assert_int_equal(p.specs[i].batch, want[i][2]);
		assert_true(!p.specs[i].pattern && !p.specs[i].ranks && !p.specs[i].load && !p.specs[i].own);
	}
	free(p.specs);
}

static void points_may_be_none(void **state)
{
	const struct numbers sizes = LIST(1, 8), windows = LIST(1, 4), batches = LIST(8);
	struct plan p = { .sizes = sizes };
	const struct spec none = { 0 };

	assert_int_equal(plan_add_windows(&p, &none, &windows, &batches), ST_OK);
	assert_int_equal(p.n, 0);
}

static void loops_of_beff_are_those_of_its_definition(void **state)
{
	static const struct {
		uint64_t u, l, w, size, loops;
	} rows[] = {
		{ 32768, 1, 32, 0, 32768 },
		{ 32768, 1, 32, 1, 32768 },
		{ 32768, 1, 32, 64, 32768 },
		{ 32768, 1, 32, 65, 16384 },
		{ 32768, 1, 32, 128, 16384 },
		{ 32768, 1, 32, 192, 10922 },
		{ 32768, 1, 32, 4096, 512 },
		{ 32768, 1, 32, 1 << 20, 2 },
		{ 32768, 1, 32, 1 << 21, 1 },
		{ 32768, 1, 32, 1 << 22, 1 },
		{ 32768, 16, 32, 1 << 20, 16 },
		{ 32768, 1, 64, 128, 32768 },
		{ 32768, 1, 32, UINT64_MAX, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(plan_beff_loops(rows[i].u, rows[i].l, rows[i].w, rows[i].size),
				 rows[i].loops);
}

static void loops_for_a_time_fill_it(void **state)
{
	static const struct {
		double target_s, loop_s;
		uint64_t max, loops;
	} rows[] = {
		{ 1, 0.25, 1000, 4 },
		{ 1, 0.3, 1000, 4 },
		{ 1, 0.25, 3, 3 },
		{ 1, 5, 1000, 1 },
		{ 0, 1, 1000, 1 },
		{ 1, 0, 1000, 1000 },
		{ 0, 0, 1000, 1000 },
		{ 1, 0.25, 0, 1 },
		{ 1, 1e-300, UINT64_MAX, UINT64_MAX },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(plan_loops(rows[i].target_s, rows[i].loop_s, rows[i].max),
				 rows[i].loops);
}

static void visits_share_the_repetitions(void **state)
{
	static const struct {
		uint64_t n, visits, each[6];
	} rows[] = {
		{ 8, 6, { 2, 2, 1, 1, 1, 1 } }, { 1000, 6, { 167, 167, 167, 167, 166, 166 } },
		{ 6, 1, { 6 } }, { 6, 6, { 1, 1, 1, 1, 1, 1 } }, { 2, 3, { 1, 1, 1 } },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		for (uint64_t v = 0; v < rows[i].visits; v++)
			assert_int_equal(stop_visit_share(rows[i].n, v, rows[i].visits), rows[i].each[v]);
}

static void looks_grow_by_a_quarter(void **state)
{
	static const size_t looks[] = { 20, 25, 32, 40, 50, 63, 79, 99, 124 };
	static const struct {
		uint64_t visits;
		size_t first;
	} firsts[] = { { 0, 30 }, { 1, 30 }, { 2, 15 }, { 3, 10 }, { 4, 8 }, { 5, 6 }, { 6, 3 }, { 9, 3 } };
	size_t next = 0;

	for (size_t i = 0; i < COUNT(firsts); i++)
		assert_int_equal(stop_first_judged(firsts[i].visits), firsts[i].first);

	for (size_t n = 0; n <= looks[COUNT(looks) - 1]; n++) {
		assert_int_equal(stop_judges_at(n, 20), n == looks[next]);
		next += n == looks[next];
	}
	assert_int_equal(next, COUNT(looks));
}

/* The i-th sample of a noisy series whose median is 1 s. */
static double sample(size_t i, double spread)
{
	static const double wave[] = { -1, 1, 0 };

	return 1 + spread * wave[i % COUNT(wave)];
}

static void sequences_of_repetitions_end_by_their_rule(void **state)
{
	static const struct {
		struct stopping rule;
		double spread, step_s;
		size_t n;
		enum stop why;
	} rows[] = {
		{ { 6, 100, 0.05, 1e9, true, 0, 0, 1 }, 9, 1, 1, STOP_DETERMINISTIC },
		{ { 6, 100, 0.05, 1e9, false, 0, 0, 1 }, 0.01, 1, 30, STOP_CI },
		{ { 32, 100, 0.05, 1e9, false, 0, 0, 1 }, 0.01, 1, 38, STOP_CI },
		{ { 9, 9, 0.05, 1e9, false, 0, 0, 1 }, 0.01, 1, 9, STOP_REPETITIONS },
		{ { 6, 29, 0.05, 1e9, false, 0, 0, 1 }, 0.01, 1, 29, STOP_REPETITIONS },
		{ { 6, 30, 0.05, 1e9, false, 0, 0, 1 }, 0.01, 1, 30, STOP_CI },
		{ { 6, 100, 0.05, 1e9, false, 0.09, 0, 1 }, 0.01, 1, 30, STOP_CI },
		{ { 6, 100, 0.05, 1e9, false, 0.11, 0, 1 }, 0.01, 1, 100, STOP_REPETITIONS },
		{ { 6, 100, 0, 1e9, false, 0, 0, 1 }, 0, 1, 100, STOP_REPETITIONS },
		{ { 6, 30, 0.05, 1e9, false, 0, 0, 1 }, 0.5, 1, 30, STOP_REPETITIONS },
		{ { 6, 100, 0.05, 10.5, false, 0, 0, 1 }, 0.5, 1, 11, STOP_POINT_TIME },
		{ { 6, 11, 0.05, 10.5, false, 0, 0, 1 }, 0.5, 1, 11, STOP_REPETITIONS },
		{ { 6, 100, 0.05, 0.1, false, 0, 0, 1 }, 0.5, 1, 6, STOP_POINT_TIME },
		{ { 6, 50, 0, 0, false, 0, 0, 1 }, 0.5, 1, 50, STOP_REPETITIONS },
		/* one of several visits: the interval of all visits is narrower */
		{ { 1, 100, 0.05, 1e9, false, 0, 0, 6 }, 0.12, 1, 3, STOP_CI },
		{ { 1, 12, 0.05, 1e9, false, 0, 0, 6 }, 0.13, 1, 12, STOP_REPETITIONS },
		{ { 1, 100, 0.05, 1e9, false, 0, 0, 3 }, 0.08, 1, 10, STOP_CI },
		{ { 1, 1, 0.05, 1e9, false, 0, 0, 1 }, 0.01, 1, 1, STOP_REPETITIONS },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct series x = { 0 };
		enum stop why = stop_now(&rows[i].rule, &x, 0);

		while (why == STOP_NOT && x.n < 1000) {
			assert_int_equal(series_push(&x, sample(x.n, rows[i].spread)), 0);
			why = stop_now(&rows[i].rule, &x, (double)x.n * rows[i].step_s);
		}
		assert_int_equal(x.n, rows[i].n);
		assert_int_equal(why, rows[i].why);
		series_free(&x);
	}
}

/* The rows lie on both sides of the limit of 5 %, for both ends of the interval, at two scales. */
static void width_is_half_and_relative(void **state)
{
	static const struct {
		double half, scale;
		enum stop why;
	} rows[] = {
		{ 0.049, 1, STOP_CI }, { 0.051, 1, STOP_NOT },
		{ 0.049, 1e-6, STOP_CI }, { 0.051, 1e-6, STOP_NOT },
	};
	const struct stopping rule = { .min = 5, .max = 100, .ci = 0.05 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		double lo = rows[i].scale * (1 - rows[i].half);
		double hi = rows[i].scale * (1 + rows[i].half), mid = rows[i].scale;
		double s[30];
		struct series x = { .s = s, .n = COUNT(s), .room = COUNT(s) };

		/* the interval is from the 10th to the 21st of 30 */
		for (size_t k = 0; k < COUNT(s); k++)
			s[k] = k % 3 == 0 ? hi : k % 3 == 1 ? lo : mid;
		assert_int_equal(stop_now(&rule, &x, 0), rows[i].why);
	}
}

/*
 * Correlated neighbours make intervals too narrow. Such a point continues until its interval is
 * known.
 */
static void alike_samples_are_not_trusted(void **state)
{
	const struct stopping rule = { .min = 6, .max = 1000, .ci = 0.05 };
	struct series x = { 0 };
	enum stop why = STOP_NOT;

	while (why == STOP_NOT && x.n < 1000) {
		/* ten of 1 s, ten of 1.04 s, and so on */
		assert_int_equal(series_push(&x, x.n / 10 % 2 ? 1.04 : 1), 0);
		why = stop_now(&rule, &x, 0);
		if (x.n < 100)
			assert_int_equal(why, STOP_NOT);
	}
	assert_int_equal(why, STOP_CI);
	assert_int_equal(summarise(&x).method, CI_EPOCHS);
	series_free(&x);
}

/* A point of at most 10 s, with 6 repetitions unless these take longer. */
static void slow_points_end_early(void **state)
{
	static const struct {
		size_t n;
		double point_s, repetition_s, longest_s;
		bool slow;
	} rows[] = {
		{ 0, 99, 9, 10, false },		/* there is at least one repetition */
		{ 1, 10, 9, 10, true }, { 1, 2, 1, 10, false }, { 5, 8.9, 1, 10, false },
		{ 5, 9.1, 1, 10, true }, { 6, 99, 9, 10, false }, { 1, 99, 9, 0, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct stopping rule = { .min = 6, .longest_s = rows[i].longest_s };

		assert_int_equal(stop_is_slow(&rule, rows[i].n, rows[i].point_s, rows[i].repetition_s),
				 rows[i].slow);
	}
}

/*
 * Windows of messages of message_s each after a latency. They are tried from 1 on until the choice
 * is clear.
 */
static void slow_windows_are_foreseen(void **state)
{
	static const struct {
		double latency_s, message_s;
		uint32_t asked;
		double longest_s;
		struct outlook seen;
		int looks;
	} rows[] = {
		{ 1e-6, 1e-6, 64, 10, { true, false, 64 }, 1 },
		{ 0, 7e-3, 64, 10, { true, false, 64 }, 1 },		/* 64 take less than 10 s / 20 */
		{ 0, 0.14, 64, 10, { true, true, 8 }, 3 },		/* 1 MiB at 60 Mbit/s */
		{ 0, 0.14, 3, 10, { true, false, 3 }, 1 },
		{ 0, 0.14, 8, 10, { true, true, 8 }, 3 },
		/* a high latency, but a fast link */
		{ 0.1, 1e-6, 64, 10, { true, false, 64 }, 5 },
		{ 0, 0.6, 1, 10, { true, true, 1 }, 1 },
		{ 0, 30, 64, 10, { true, true, 1 }, 1 },
		{ 0, 0.14, 64, 100, { true, true, 64 }, 6 },		/* there is more time */
		/* one of 1000 iterations says little unless it takes long */
		{ 40e-3, 1e-6, 64, 10e-3, { true, false, 64 }, 7 },
		{ 60e-3, 1e-6, 64, 10e-3, { true, true, 1 }, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct outlook seen = { .window = 1 };
		int looks = 0;

		for (; !seen.clear; looks++)
			seen = stop_predict_point(rows[i].latency_s + seen.window * rows[i].message_s, seen.window,
					    rows[i].asked, rows[i].longest_s);
		assert_int_equal(seen.slow, rows[i].seen.slow);
		assert_int_equal(seen.window, rows[i].seen.window);
		assert_int_equal(looks, rows[i].looks);
	}
}

/* Sliding windows must come to 64 in a row. */
static void as_many_loops_are_taken_as_fit(void **state)
{
	assert_int_equal(stop_loops(1e-6, 64, 10), 64);
	assert_int_equal(stop_loops(0.019, 64, 10), 64);
	assert_int_equal(stop_loops(0.14, 64, 10), 8);
	assert_int_equal(stop_loops(9, 64, 10), 1);
	assert_int_equal(stop_loops(0.3, 0, 10), 0);
}

static void every_reason_has_a_name(void **state)
{
	for (size_t i = STOP_NOT; i <= STOP_SIGNAL; i++)
		assert_non_null(stop_names[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_of_sizes_is_powers_of_two),
		cmocka_unit_test(sizes_that_are_given_are_taken),
		cmocka_unit_test(points_are_the_product),
		cmocka_unit_test(points_may_be_none),
		cmocka_unit_test(loops_of_beff_are_those_of_its_definition),
		cmocka_unit_test(loops_for_a_time_fill_it),
		cmocka_unit_test(visits_share_the_repetitions),
		cmocka_unit_test(looks_grow_by_a_quarter),
		cmocka_unit_test(sequences_of_repetitions_end_by_their_rule),
		cmocka_unit_test(width_is_half_and_relative),
		cmocka_unit_test(alike_samples_are_not_trusted),
		cmocka_unit_test(slow_points_end_early),
		cmocka_unit_test(slow_windows_are_foreseen),
		cmocka_unit_test(as_many_loops_are_taken_as_fit),
		cmocka_unit_test(every_reason_has_a_name),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
