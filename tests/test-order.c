/* SPDX-License-Identifier: Apache-2.0 */
/* Tests sorting, the median, and the heap against sorting. */
#include "base/heap.h"
#include "base/random.h"
#include "base/sort.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MOST 200

static void medians_are_those_of_the_numbers(void **state)
{
	static const struct {
		double x[5];
		size_t n;
		double median;
	} cases[] = {
		{ { 0 }, 0, NAN },
		{ { 7 }, 1, 7 },
		{ { 4, 1 }, 2, 2.5 },
		{ { 9, -1, 3 }, 3, 3 },
		{ { 4, 1, 8, 2 }, 4, 3 },
		{ { 2, 2, 1, 3, 2 }, 5, 2 },
		{ { NAN, 5, NAN, 1, NAN }, 5, 3 },
		{ { NAN, NAN }, 2, NAN },
		{ { 1.5e308, 1.7e308 }, 2, 1.6e308 },
		{ { -INFINITY, 1, INFINITY }, 3, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double x[5], got, want = cases[i].median;

		memcpy(x, cases[i].x, sizeof(x));
		got = median(x, cases[i].n);
		if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-12 * fabs(want)))
			fail_msg("case %zu: %.17g is not %.17g", i, got, want);
	}
}

static void numbers_are_sorted(void **state)
{
	struct rng r;
	double x[MOST];

	rng_seed(&r, 1);
	for (size_t n = 0; n < MOST; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (double)(rng_next(&r) % 50) - 25;
		sort_doubles(x, n);
		for (size_t i = 1; i < n; i++)
			assert_true(x[i - 1] <= x[i]);
	}
}

/* An element that knows its position in the heap. */
struct item {
	double key;
	uint32_t at;
};

static bool item_before(const struct item *a, const struct item *b)
{
	return a->key < b->key;
}

static void item_moved(struct item *a, uint32_t at)
{
	a->at = at;
}

HEAP(items, struct item *, item_before, item_moved)

static void check(struct item *const *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(v[i]->at, i);
		assert_true(!i || v[(i - 1) / 2]->key <= v[i]->key);
	}
}

/*
 * Elements are added, change their keys in both directions, and are removed from anywhere. The rest
 * comes out sorted.
 */
static void what_is_taken_from_a_heap_comes_out_sorted(void **state)
{
	struct item item[MOST], *v[MOST], *last = NULL;
	struct rng r;

	rng_seed(&r, 2);
	for (int round = 0; round < 50; round++) {
		uint32_t n = 0, left;

		for (size_t i = 0; i < MOST; i++) {
			item[i].key = (double)(rng_next(&r) % 100);
			items_push(v, &n, &item[i]);
			check(v, n);
		}
		for (int i = 0; i < MOST / 2; i++) {
			struct item *x = v[rng_next(&r) % n];
			double by = (double)(rng_next(&r) % 40);

			x->key += i % 3 ? by : -by;
			if (i % 3)
				items_sink(v, n, x->at, x);
			else
				items_rise(v, x->at, x);
			check(v, n);
			if (i % 2) {
				x = v[rng_next(&r) % n];
				items_remove(v, &n, x->at);
				for (uint32_t k = 0; k < n; k++)
					assert_ptr_not_equal(v[k], x);
				check(v, n);
			}
		}
		assert_int_equal(n, MOST - MOST / 4);
		last = items_pop(v, &n);
		for (left = n; left; left--) {
			struct item *next = items_pop(v, &n);

			assert_true(last->key <= next->key);
			last = next;
		}
		assert_int_equal(n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians_are_those_of_the_numbers),
		cmocka_unit_test(numbers_are_sorted),
		cmocka_unit_test(what_is_taken_from_a_heap_comes_out_sorted),
	};

	return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
