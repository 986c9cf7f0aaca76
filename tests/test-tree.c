/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares broadcast trees with the reference values of METHODS 1.2 and with properties that follow
 * from their definitions.
 */
#include "model/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <cmocka.h>

static const enum tree_kind kinds[] = { TREE_LINEAR, TREE_BINARY, TREE_KARY, TREE_BINOMIAL, TREE_KNOMIAL,
					TREE_OPTIMAL };
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

static void assert_near(double a, double b, double eps)
{
	if (fabs(a - b) > eps)
		fail_msg("%.17g is not %.17g", a, b);
}

static double time_of(enum tree_kind kind, uint32_t k, uint32_t n, double L, double o, double g)
{
	double m = fmax(o, g), A = L + 2 * o, t;
	struct tree tree;

	assert_int_equal(tree_build(&tree, kind, k, n, A, m), 0);
	t = tree_time(&tree, A, m, NULL);
	tree_free(&tree);
	return t;
}

/* linear, binary, 4-ary, binomial, 4-nomial, optimal */
static void trees_take_the_published_times(void **state)
{
	static const struct {
		double L, o, g;
		uint32_t n;
		double t[NKINDS];
	} rows[] = {
		{ 6, 2, 4, 3, { 14, 14, 14, 14, 14, 14 } },
		{ 6, 2, 4, 8, { 34, 30, 28, 30, 28, 24 } },
		{ 6, 2, 4, 10, { 42, 34, 32, 34, 28, 28 } },
		{ 6, 2, 4, 64, { 258, 70, 58, 60, 54, 46 } },
		{ 6, 2, 4, 1024, { 4098, 126, 102, 100, 90, 72 } },
		{ 2, 1, 8, 3, { 12, 12, 12, 12, 12, 8 } },
		{ 2, 1, 8, 8, { 52, 24, 28, 20, 28, 16 } },
		{ 2, 1, 8, 1024, { 8180, 108, 124, 76, 116, 60 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t j = 0; j < NKINDS; j++)
			assert_near(time_of(kinds[j], 4, rows[i].n, rows[i].L, rows[i].o, rows[i].g),
					    rows[i].t[j], 1e-9);
}

/*
 * The time that is computed without a tree equals the time of the tree, for all numbers of nodes.
 */
static void the_span_is_what_the_built_tree_takes(void **state)
{
	static const double networks[][2] = { { 10, 4 }, { 4, 8 }, { 0.75, 0.25 }, { 100, 1 }, { 0, 1 }, { 7, 0 } };

	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
		for (size_t j = 0; j < NKINDS; j++)
			for (uint32_t n = 1; n < 700; n += n < 300 ? 1 : 17)
				for (uint32_t k = 2; k < 40; k += k < 8 ? 1 : 5) {
					double A = networks[i][0], m = networks[i][1];
					struct tree t;

					if (kinds[j] == TREE_OPTIMAL)
						continue;
					assert_int_equal(tree_build(&t, kinds[j], k, n, A, m), 0);
					assert_near(tree_span(kinds[j], k, n, A, m), tree_time(&t, A, m, NULL), 1e-9);
					tree_free(&t);
				}
	assert_near(tree_span(TREE_OPTIMAL, 2, 8, 10, 4), tree_build_time(TREE_OPTIMAL, 2, 8, 10, 4), 0);
	assert_near(tree_span(TREE_KNOMIAL, 1U << 31, UINT32_MAX, 1, 1), 2147483648.0, 0);
}

static void assert_children(const struct tree *t, uint32_t v, const uint32_t *want, uint32_t n)
{
	assert_int_equal(t->first[v + 1] - t->first[v], n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(t->child[t->first[v] + i], want[i]);
}

/* L=6, o=2, g=4, P=10: METHODS 1.2 */
static void the_optimal_schedule_is_the_published_one(void **state)
{
	static const double times[] = { 0, 10, 14, 18, 20, 22, 24, 24, 26, 28 };
	double when[10];
	struct tree t;

	assert_int_equal(tree_build(&t, TREE_OPTIMAL, 0, 10, 10, 4), 0);
	assert_children(&t, 0, (uint32_t[]){ 1, 2, 3, 5, 8 }, 5);
	assert_children(&t, 1, (uint32_t[]){ 4, 7 }, 2);
	assert_children(&t, 2, (uint32_t[]){ 6 }, 1);
	assert_children(&t, 3, (uint32_t[]){ 9 }, 1);
	tree_time(&t, 10, 4, when);
	for (int i = 0; i < 10; i++)
		assert_near(when[i], times[i], 1e-12);
	tree_free(&t);
}

static void largest_subtree_first(void **state)
{
	struct tree t;

	assert_int_equal(tree_build(&t, TREE_KNOMIAL, 3, 20, 1, 1), 0);
	assert_children(&t, 0, (uint32_t[]){ 9, 18, 3, 6, 1, 2 }, 6);
	assert_children(&t, 9, (uint32_t[]){ 12, 15, 10, 11 }, 4);
	assert_children(&t, 18, (uint32_t[]){ 19 }, 1);
	tree_free(&t);
}

/* Each node except the root has one parent, whose list of children contains it. */
static void every_node_has_one_parent(void **state)
{
	for (uint32_t n = 1; n < 70; n++)
		for (size_t j = 0; j < NKINDS; j++)
			for (uint32_t k = 2; k < 7; k++) {
				bool seen[70] = { false };
				struct tree t;

				assert_int_equal(tree_build(&t, kinds[j], k, n, 7, 2), 0);
				assert_int_equal(t.first[n], n - 1);
				for (uint32_t v = 0; v < n; v++)
					for (uint32_t i = t.first[v]; i < t.first[v + 1]; i++) {
						assert_false(seen[t.child[i]]);
						assert_int_equal(t.parent[t.child[i]], v);
						seen[t.child[i]] = true;
					}
				tree_free(&t);
			}
}

/*
 * Searches exhaustively for the earliest time at which n nodes can have the message, if each node
 * that has it may send to any node (METHODS 13).
 */
static double reach(double t, double A, double m)
{
	return t < A ? 1 : reach(t - m, A, m) + reach(t - A, A, m);
}

static void optimal_reaches_most(void **state)
{
	static const double networks[][2] = { { 10, 4 }, { 4, 8 }, { 7, 1 }, { 3, 3 }, { 22, 1 } };

	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
		for (uint32_t n = 2; n < 26; n++) {
			double A = networks[i][0], m = networks[i][1], t;
			struct tree tree;

			assert_int_equal(tree_build(&tree, TREE_OPTIMAL, 0, n, A, m), 0);
			t = tree_time(&tree, A, m, NULL);
			assert_true(reach(t, A, m) >= n && reach(t - 1e-6, A, m) < n);
			tree_free(&tree);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_take_the_published_times),
		cmocka_unit_test(the_span_is_what_the_built_tree_takes),
		cmocka_unit_test(the_optimal_schedule_is_the_published_one),
		cmocka_unit_test(largest_subtree_first),
		cmocka_unit_test(every_node_has_one_parent),
		cmocka_unit_test(optimal_reaches_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
