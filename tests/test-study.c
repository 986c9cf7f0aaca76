/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests a study of all pairs: it returns the values that were put in, in the order of names, and
 * accepts no others.
 */
#include "analyse/map/study/study.h"
#include "base/random.h"
#include "base/values.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void add_hosts(struct study *s, uint32_t n, bool backwards)
{
	uint32_t host;
	char name[16];

	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "n%u", backwards ? n - 1 - i : i);
		assert_true(study_add_host(s, name, &host));
		assert_int_equal(host, i);
	}
}

/* Makes values that identify their visit and pair. */
static double value_of(uint32_t v, uint32_t i, uint32_t j)
{
	return 1e6 * (v + 1) + 1000 * i + j + 1;
}

static bool has_met(uint32_t v, uint32_t i, uint32_t j)
{
	return i != j && (i * 7 + j * 3 + v) % 5 != 0;
}

static void what_was_put_in_is_found_by_name(void **state)
{
	enum { N = 23, VISITS = 3 };

	for (int backwards = 0; backwards < 2; backwards++) {
		struct study s = { .n = 0 };
		struct measurement o;
		size_t n = 0;

		add_hosts(&s, N, backwards);
		for (uint32_t v = 0; v < VISITS; v++)
			assert_true(study_add_visit(&s, v + 5, &o.visit));
		for (uint32_t v = 0; v < VISITS; v++) {
			for (uint32_t at = N * N; at-- > 0;) {
				uint32_t i = at % N, j = at / N;

				o = (struct measurement){
					.visit = v, .sender = backwards ? N - 1 - i : i,
					.receiver = backwards ? N - 1 - j : j, .round = i + j,
					.value = { value_of(v, i, j), NAN, NAN } };
				if (!has_met(v, i, j))
					continue;
				assert_int_equal(study_add(&s, &o), PUT);
				n++;
			}
		}
		o = (struct measurement){ .receiver = N - 1, .visit = 2, .value = { 1, NAN, NAN } };
		assert_int_equal(study_add(&s, &o), PUT_TWICE);
		o.value[BANDWIDTH] = value_of(2, backwards ? N - 1 : 0, backwards ? 0 : N - 1);
		o.round = N - 1;
		assert_int_equal(study_add(&s, &o), PUT_TWICE);
		assert_int_equal(study_finish(&s), 0);
		assert_int_equal(study_count_cells(&s), n);
		assert_true(study_has(&s, BANDWIDTH) && !study_has(&s, LATENCY));
		for (uint32_t v = 0; v < VISITS; v++) {
			for (uint32_t i = 0; i < N; i++) {
				for (uint32_t j = 0; j < N; j++) {
					double y = study_value(&s, BANDWIDTH, v, i, j);

					assert_int_equal(isnan(y), !has_met(v, i, j));
					if (isnan(y))
						continue;
					assert_true(fabs(exp(y) / value_of(v, i, j) - 1) < 2e-6);
					assert_int_equal(study_round(&s, v, i, j), i + j);
				}
			}
		}
		study_free(&s);
	}
}

static void a_walk_sees_each_pair_that_met_once_in_order(void **state)
{
	enum { N = 17 };
	struct study s = { .n = 0 };
	struct measurement o = { .round = STUDY_NO_ROUND, .value = { 1, NAN, NAN } };
	struct met p = STUDY_BEGIN;
	uint32_t last = 0;
	size_t n = 0;

	assert_false(study_next(&s, &p));
	add_hosts(&s, N, false);
	for (uint32_t v = 0; v < 2; v++) {
		assert_true(study_add_visit(&s, v, &o.visit));
		for (o.sender = 0; o.sender < N; o.sender++)
			for (o.receiver = 0; o.receiver < N; o.receiver++)
				if (o.sender != 3 && has_met(v, o.sender, o.receiver))
					assert_int_equal(study_add(&s, &o), PUT);
	}
	assert_int_equal(study_finish(&s), 0);
	for (p = (struct met)STUDY_BEGIN; study_next(&s, &p); n++) {
		assert_true(p.i != 3 && (has_met(0, p.i, p.j) || has_met(1, p.i, p.j)));
		assert_true(!n || p.i * N + p.j > last);
		last = p.i * N + p.j;
	}
	for (uint32_t at = 0; at < N * N; at++)
		n -= at / N != 3 && (has_met(0, at / N, at % N) || has_met(1, at / N, at % N));
	assert_int_equal(n, 0);
	study_free(&s);
}

static void both_directions_of_a_round_trip_get_their_mean(void **state)
{
	static const struct {
		double there, back, want;
	} cases[] = { { 2, 8, 4 }, { 3, NAN, 3 }, { NAN, 3, 3 } };

	for (size_t k = 0; k < LENGTH(cases); k++) {
		struct study s = { .n = 0 };
		struct measurement o = { .round = 1, .value = { NAN, cases[k].there, NAN } };
		struct measurement back = { .sender = 1, .round = 1,
					    .value = { NAN, cases[k].back, NAN } };

		add_hosts(&s, 2, false);
		o.receiver = 1;
		assert_true(study_add_visit(&s, 1, &o.visit));
		if (!isnan(cases[k].there))
			assert_int_equal(study_add(&s, &o), PUT);
		if (!isnan(cases[k].back))
			assert_int_equal(study_add(&s, &back), PUT);
		assert_int_equal(study_finish(&s), 0);
		for (uint32_t i = 0; i < 2; i++) {
			double t = study_unit(LATENCY, study_value(&s, LATENCY, 0, i, !i));

			assert_true(fabs(t - cases[k].want) < 1e-6);
			assert_int_equal(study_round(&s, 0, i, !i), 1);
		}
		study_free(&s);
	}
}

struct making {
	const struct study *s;
	struct scratch room;
};

static void compare_matrix(void *arg)
{
	struct making *a = arg;
	struct matrix m = study_matrix(a->s, BANDWIDTH, &a->room);

	for (uint32_t v = 0; v < m.nvisits; v++) {
		for (uint32_t i = 0; i < m.n; i++) {
			for (uint32_t j = 0; j < m.n; j++) {
				double y = study_value(a->s, BANDWIDTH, v, i, j);
				double x = m.y[matrix_at(&m, v, i, j)];

				assert_true(x == y || (isnan(x) && isnan(y)));
				assert_int_equal(m.round[matrix_at(&m, v, i, j)],
						 isnan(y) ? m.nrounds : study_round(a->s, v, i, j));
			}
		}
	}
}

static void the_matrix_of_a_study_has_its_values(void **state)
{
	struct study s = { .n = 0 };
	struct measurement o = { .value = { NAN, NAN, NAN } };
	struct making a = { .s = &s };

	add_hosts(&s, 12, true);
	for (uint32_t v = 0; v < 2; v++) {
		assert_true(study_add_visit(&s, v, &o.visit));
		for (o.sender = 0; o.sender < 12; o.sender++) {
			for (o.receiver = 0; o.receiver < 12; o.receiver++) {
				o.value[BANDWIDTH] = value_of(v, o.sender, o.receiver);
				o.round = (o.sender + o.receiver) % 11;
				if (has_met(v, o.sender, o.receiver))
					assert_int_equal(study_add(&s, &o), PUT);
			}
		}
	}
	assert_int_equal(study_finish(&s), 0);
	assert_int_equal(scratch_run(&a.room, compare_matrix, &a), 0);
	study_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_in_is_found_by_name),
		cmocka_unit_test(a_walk_sees_each_pair_that_met_once_in_order),
		cmocka_unit_test(both_directions_of_a_round_trip_get_their_mean),
		cmocka_unit_test(the_matrix_of_a_study_has_its_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
