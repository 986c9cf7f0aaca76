/* SPDX-License-Identifier: Apache-2.0 */
/* Tests compare with two maps of random clusters: it names the changes, and not chance. */
#include "analyse/map/change/chance.h"
#include "analyse/map/change/shift.h"
#include "base/values.h"
#include "map-model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* Puts the visits of a cluster into a study. Numbers are the names of hosts. */
static void fill(struct study *s, const struct cluster *c)
{
	struct measurement o = { .round = STUDY_NO_ROUND, .value = { NAN, NAN, NAN } };
	enum quantity q = c->latency ? LATENCY : BANDWIDTH;
	char name[16];

	for (uint32_t i = 0; i < c->n; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		assert_true(study_add_host(s, name, &o.sender));
	}
	for (uint32_t v = 0; v < c->nvisits; v++) {
		assert_true(study_add_visit(s, v, &o.visit));
		for (o.sender = 0; o.sender < c->n; o.sender++) {
			for (o.receiver = 0; o.receiver < c->n; o.receiver++) {
				o.value[q] = study_unit(q, c->m.y[matrix_at(&c->m, v, o.sender,
									    o.receiver)]);
				if (o.sender != o.receiver)
					assert_int_equal(study_add(s, &o), PUT);
			}
		}
	}
	assert_int_equal(study_finish(s), 0);
}

/* Compares a healthy cluster with one with the options `like`; their noise differs. */
static void compare(const struct cluster *like, uint64_t seed, struct changes *c,
		    struct cluster *b)
{
	struct cluster a = *like;

	*c = (struct changes){ .n = 0 };
	*b = *like;
	a.fault = NO_FAULT;
	cluster_make(&a, 2 * seed);
	cluster_make(b, 2 * seed + 1);
	fill(&c->s[A], &a);
	fill(&c->s[B], b);
	assert_int_equal(changes_find(c, 0.05, NULL), 0);
	cluster_free(&a);
}

/* Counts the verdicts on hosts, and on pairs. */
struct counted {
	size_t hosts, pairs;
};

static struct counted count(const struct changes *c)
{
	struct counted n = { 0, 0 };

	for (int k = 0; k < 2; k++)
		for (size_t at = 0; at < c->of[0].found[k].n; at++)
			if (verdict_is_of_pair(&c->of[0].found[k].at[at]))
				n.pairs++;
			else
				n.hosts++;
	return n;
}

static void ten_comparisons_of_healthy_maps_name_at_most_one_pair(void **state)
{
	static const struct {
		uint32_t n, visits, runs;
		bool latency;
		double noise;
	} cases[] = {
		{ 5, 5, 100, false, 0.05 }, { 8, 5, 100, false, 0.05 }, { 12, 3, 100, false, 0.05 },
		{ 12, 3, 100, true, 0.02 }, { 16, 3, 60, false, 0.02 }, { 32, 3, 30, false, 0.05 },
		{ 64, 3, 10, false, 0.02 }, { 12, 2, 100, false, 0.02 },
	};

	for (size_t k = 0; k < LENGTH(cases); k++) {
		struct cluster like = { .n = cases[k].n, .nvisits = cases[k].visits,
					.latency = cases[k].latency, .noise = cases[k].noise };
		struct counted all = { 0, 0 };

		for (uint32_t run = 0; run < cases[k].runs; run++) {
			struct changes c;
			struct cluster b;
			struct totals t = { 0 };

			compare(&like, run, &c, &b);
			all.hosts += count(&c).hosts;
			all.pairs += count(&c).pairs;
			count_changes(&c, &c.of[0], &t);
			if (!count(&c).hosts && !count(&c).pairs &&
			    fabs(c.of[0].network.by) < 0.05)
				assert_int_equal(t.of[CHANGED_SLOWER] + t.of[CHANGED_FASTER], 0);
			cluster_free(&b);
			changes_free(&c);
		}
		printf("# n %u, %u visits, noise %g: %zu hosts and %zu pairs in %u\n", like.n,
		       like.nvisits, like.noise, all.hosts, all.pairs, cases[k].runs);
		if (10 * all.pairs > cases[k].runs)
			fail_msg("n %u: %zu pairs in %u comparisons", like.n, all.pairs,
				 cases[k].runs);
	}
}

static void what_has_changed_is_named_alone(void **state)
{
	static const struct {
		enum fault fault;
		uint32_t n;
		double noise, effect;
	} cases[] = {
		{ ONE_PAIR, 12, 0.02, 0.2 }, { ONE_DIRECTION, 12, 0.02, 0.2 },
		{ ONE_PAIR, 32, 0.05, 0.3 }, { HOST_BOTH, 12, 0.05, 0.2 },
		{ HOST_SENDS, 16, 0.05, 0.2 }, { TWO_HOSTS, 16, 0.02, 0.2 }, { LEAF, 12, 0.02, 0.3 },
	};
	enum { RUNS = 40 };

	for (size_t k = 0; k < LENGTH(cases); k++) {
		struct cluster like = { .n = cases[k].n, .nvisits = 3, .noise = cases[k].noise,
					.fault = cases[k].fault, .effect = cases[k].effect };
		unsigned right = 0;

		for (unsigned run = 0; run < RUNS; run++) {
			struct changes c;
			struct cluster b;

			compare(&like, 1000 + run, &c, &b);
			right += cluster_found(&b, &c.of[0].found[0]) && !c.of[0].found[1].n;
			cluster_free(&b);
			changes_free(&c);
		}
		printf("# %s of %u: %u of %d\n", fault_names[like.fault], like.n, right, RUNS);
		if (right < RUNS * 9 / 10)
			fail_msg("%s of %u: %u of %d", fault_names[like.fault], like.n, right, RUNS);
	}
}

static void many_pairs_that_have_changed_are_all_named(void **state)
{
	struct cluster like = { .n = 12, .nvisits = 3, .noise = 0.02 }, a = like, b = like;
	struct changes c = { .n = 0 };

	cluster_make(&a, 5);
	cluster_make(&b, 6);
	for (uint32_t v = 0; v < 3; v++)
		for (uint32_t i = 0; i < 12; i++)
			b.m.y[matrix_at(&b.m, v, i, (i + 1) % 12)] += (float)log(i % 2 ? 0.7 : 1.4);
	fill(&c.s[A], &a);
	fill(&c.s[B], &b);
	assert_int_equal(changes_find(&c, 0.05, NULL), 0);
	assert_int_equal(c.of[0].found[0].n, 6);
	assert_int_equal(c.of[0].found[1].n, 6);
	for (uint32_t i = 0; i < 12; i++) {
		const struct map_verdict *v = change_cause(&c.of[0], i, (i + 1) % 12);

		assert_non_null(v);
		assert_int_equal(v->cause.kind, KIND_DIRECTION);
		assert_true(fabs(v->effect - fabs(log(i % 2 ? 0.7 : 1.4))) < 0.08);
	}
	changes_free(&c);
	cluster_free(&a);
	cluster_free(&b);
}

static void limits_of_many_tests_are_those_of_their_tables(void **state)
{
	/* Benjamini and Hochberg 1995, 3.2: in 15 tests Holm's method names three, theirs four */
	static const double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
				    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	double work[LENGTH(p)];

	for (size_t k = 0; k < LENGTH(p); k++)
		work[k] = p[LENGTH(p) - 1 - k];
	assert_true(largest_p_by_fdr(work, LENGTH(p), LENGTH(p)) == 0.0095);
	assert_true(largest_p_by_holm(work, LENGTH(p), LENGTH(p)) == 0.0019);
	assert_true(largest_p_by_holm(work, 2, 200) == 0.0001);	/* 0.0004 > 0.05 / 199 */
	assert_true(largest_p_by_holm(work + 12, 3, 3) == -1);
	assert_true(largest_p_by_fdr(work, 0, 0) == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_comparisons_of_healthy_maps_name_at_most_one_pair),
		cmocka_unit_test(what_has_changed_is_named_alone),
		cmocka_unit_test(many_pairs_that_have_changed_are_all_named),
		cmocka_unit_test(limits_of_many_tests_are_those_of_their_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
