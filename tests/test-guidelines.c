/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests performance guidelines on made-up rows: which rows are compared, what computed times say, and how often
 * noise passes for a violation.
 */
#include "analyse/guidelines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define VISITS 20

static const char *text_of(const struct finding *f, const char *name)
{
	const char *text = json_string_value(json_object_get(f->evidence, name));

	return text ? text : "";
}

static double number_of(const struct finding *f, const char *name)
{
	const json_t *v = json_object_get(f->evidence, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static void add(struct guideline_rows *rows, const char *operation, const char *algorithm, uint64_t size, double time)
{
	assert_int_equal(guideline_rows_add(rows, &(struct guideline_row){ .operation = operation, .algorithm = algorithm,
		.root = "", .ranks = 4, .size = size, .time_s = time }), ST_OK);
}

static size_t count_verdicts(const struct findings *found, enum verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < found->n; i++)
		n += found->at[i].verdict == verdict;
	return n;
}

/* ---- computed times ---- */

static void computed_times_are_compared_plainly(void **state)
{
	static const struct {
		const char *left, *right;
		uint64_t size;
		double ratio;
		enum verdict verdict;
	} want[] = {
		{ "MPI_Allreduce", "MPI_Reduce and MPI_Bcast", 8, 1.2, VERDICT_YES },
		{ "MPI_Allreduce", "MPI_Reduce_scatter and MPI_Allgather", 8, 0.75, VERDICT_NO },
		{ "MPI_Allreduce", "netbench's rabenseifner", 8, 2, VERDICT_YES },
		{ "MPI_Allreduce", "the same", 8, 1.5, VERDICT_YES },
		{ "MPI_Allreduce", "twice the same", 16, 1 / 3., VERDICT_NO },
		{ "MPI_Allreduce", "netbench's ring", 16, 1, VERDICT_NO },
		{ "MPI_Allreduce", "the same", 16, 4 / 14., VERDICT_NO },
		{ "MPI_Allreduce", "the same", 64, 0.5, VERDICT_NO },
		{ "MPI_Allreduce", "twice the same", 128, 1, VERDICT_NO },
	};
	struct guideline_rows rows = { .exact = true, .of_mpi = true };
	struct findings found = { .n = 0 };

	add(&rows, "allreduce", "ring", 8, 9);
	add(&rows, "allreduce", "native", 8, 6);
	add(&rows, "allreduce", "native:reduce+bcast", 8, 5);
	add(&rows, "allreduce", "native:reduce-scatter+allgather", 8, 8);
	add(&rows, "allreduce", "rabenseifner", 8, 3);
	add(&rows, "allreduce", "native", 16, 4);
	add(&rows, "allreduce", "ring", 16, 4);
	add(&rows, "allreduce", "native", 128, 28);
	add(&rows, "allreduce", "native", 64, 14);
	assert_int_equal(guidelines_judge(&rows, true, &found), ST_OK);
	assert_int_equal(found.n, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++) {
		bool any = false;

		for (size_t k = 0; k < found.n; k++) {
			const struct finding *f = &found.at[k];

			if (strcmp(text_of(f, "left"), want[i].left) != 0 || strcmp(text_of(f, "right"), want[i].right) != 0 ||
			    number_of(f, "size_B") != (double)want[i].size)
				continue;
			any = true;
			assert_string_equal(f->kind, "guideline");
			assert_int_equal(f->verdict, want[i].verdict);
			assert_true(fabs(number_of(f, "ratio") - want[i].ratio) < 1e-12);
			assert_true(fabs(f->effect - want[i].ratio + 1) < 1e-12);
		}
		if (!any)
			fail_msg("%s against %s at %llu B was not judged", want[i].left, want[i].right,
				 (unsigned long long)want[i].size);
	}
	assert_int_equal(findings_status(&found), ST_FAILED);
	findings_free(&found);
	guideline_rows_free(&rows);
}

static void without_native_rows_the_first_algorithm_is_the_left_side(void **state)
{
	struct guideline_rows rows = { .exact = true };
	struct findings found = { .n = 0 };

	add(&rows, "bcast", "own:scatter+allgather", 8, 1);
	add(&rows, "bcast", "linear", 8, 2);
	add(&rows, "bcast", "binomial", 8, 4);
	add(&rows, "bcast", "native:scatter+allgather", 8, 1);
	assert_int_equal(guidelines_judge(&rows, false, &found), ST_OK);
	assert_int_equal(found.n, 2);
	assert_string_equal(text_of(&found.at[0], "left"), "bcast by linear");
	assert_string_equal(text_of(&found.at[0], "right"), "netbench's scatter and allgather");
	assert_int_equal(found.at[0].verdict, VERDICT_YES);
	assert_string_equal(text_of(&found.at[1], "right"), "netbench's binomial");
	assert_int_equal(found.at[1].verdict, VERDICT_NO);
	assert_int_equal(findings_status(&found), ST_OK);
	findings_free(&found);
	guideline_rows_free(&rows);
}

static void the_quickest_algorithm_is_listed_from_each_size_on(void **state)
{
	static const struct {
		const char *operation, *algorithm;
		uint64_t from;
	} want[] = {
		{ "bcast", "binomial", 8 }, { "bcast", "chain", 64 }, { "bcast", "binomial", 256 }, { "barrier", "tree", 0 },
	};
	struct guideline_rows rows = { .exact = true };
	struct quickest *list;
	size_t n;

	for (uint64_t size = 256; size >= 8; size /= 2) {
		add(&rows, "bcast", "binomial", size, 10);
		add(&rows, "bcast", "chain", size, size == 64 || size == 128 ? 9 : 11);
	}
	add(&rows, "barrier", "central", 0, NAN);
	add(&rows, "barrier", "tree", 0, 1);
	list = guidelines_quickest(&rows, &n);
	assert_int_equal(n, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++) {
		assert_string_equal(list[i].row->operation, want[i].operation);
		assert_string_equal(list[i].row->algorithm, want[i].algorithm);
		assert_int_equal(list[i].from, want[i].from);
	}
	free(list);
	guideline_rows_free(&rows);
}

/* ---- measured times ---- */

static double uniform(struct rng *rng)
{
	return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

/* Noise of visits: its standard deviation, and the share of visits in which other work triples a time at most. */
struct noise {
	double sigma, disturbed;
};

static double noisy(struct rng *rng, double time, struct noise noise)
{
	double z = sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));

	return time * exp(noise.sigma * z) * (uniform(rng) < noise.disturbed ? 1 + 2 * uniform(rng) : 1);
}

/* A row of a bcast of 8 B. Points differ by their number of ranks, so that only rows of one point are compared. */
static void add_noisy(struct guideline_rows *rows, const char *algorithm, uint64_t ranks, double time, struct noise noise,
		      size_t visits, struct rng *rng)
{
	struct guideline_row row = { .operation = "bcast", .algorithm = algorithm, .root = "0", .ranks = ranks, .size = 8,
				     .time_s = time };

	for (size_t i = 0; i < visits; i++)
		assert_int_equal(series_push(&row.visits, noisy(rng, time, noise)), 0);
	assert_int_equal(guideline_rows_add(rows, &row), ST_OK);
}

/* A run in which the left side of the first point is `slower`, and all other rows are equal. */
struct world {
	size_t points, rights;
	const char *right;
	struct noise noise;
	double slower;
	size_t visits;
};

/* Judges a run and returns the number of violations. Adds the number of verdicts to *judged. */
static size_t violations(const struct world *w, struct rng *rng, size_t *judged)
{
	struct guideline_rows rows = { .exact = false };
	struct findings found = { .n = 0 };
	size_t n;

	for (size_t i = 0; i < w->points; i++) {
		add_noisy(&rows, "native", i, i ? 1 : w->slower, w->noise, w->visits, rng);
		for (size_t k = 0; k < w->rights; k++)
			add_noisy(&rows, w->right, i, 1, w->noise, w->visits, rng);
	}
	assert_int_equal(guidelines_judge(&rows, false, &found), ST_OK);
	assert_int_equal(found.n, w->points);
	n = count_verdicts(&found, VERDICT_YES);
	*judged += n + count_verdicts(&found, VERDICT_NO);
	findings_free(&found);
	guideline_rows_free(&rows);
	return n;
}

/* 100 runs of 1,000 checks; noise above and below the margin of 5 %. */
static void noise_is_hardly_ever_a_violation(void **state)
{
	static const struct world worlds[] = {
		{ 1000, 1, "native:scatter+allgather", { 0.03, 0.05 }, 1, VISITS },
		{ 1000, 1, "native:scatter+allgather", { 0.3, 0.05 }, 1, VISITS },
	};
	struct rng rng;

	rng_seed(&rng, 11);
	for (size_t i = 0; i < COUNT(worlds); i++) {
		size_t judged = 0, bad = 0;

		for (int run = 0; run < 50; run++)
			bad += violations(&worlds[i], &rng, &judged) > 0;
		assert_int_equal(judged, 50 * 1000);
		assert_true(bad <= 1);
	}
}

/* The best of several equal algorithms wins by luck only in the visits that choose it. */
static void the_best_algorithm_is_judged_by_other_visits(void **state)
{
	static const struct world w = { 500, 6, "ring", { 0.3, 0.05 }, 1, VISITS };
	size_t judged = 0, bad = 0;
	struct rng rng;

	rng_seed(&rng, 12);
	for (int run = 0; run < 20; run++)
		bad += violations(&w, &rng, &judged) > 0;
	assert_int_equal(judged, 20 * 500);
	assert_true(bad <= 1);
}

static void a_left_side_that_is_slower_by_20_percent_is_found(void **state)
{
	static const struct world worlds[] = {
		{ 200, 1, "native:scatter+allgather", { 0.03, 0.01 }, 1.2, VISITS }, { 200, 4, "ring", { 0.02, 0.01 }, 1.2, VISITS + 5 },
	};
	struct rng rng;

	rng_seed(&rng, 13);
	for (size_t i = 0; i < COUNT(worlds); i++) {
		size_t judged = 0, found = 0;

		for (int run = 0; run < 20; run++)
			found += violations(&worlds[i], &rng, &judged) > 0;
		if (found < 19)
			fail_msg("world %zu: found in %zu of 20 runs", i, found);
	}
}

/* (49): 15 visits for 200 checks; and a fifth of the visits chooses the best algorithm. */
static void fewer_visits_than_needed_give_no_verdict(void **state)
{
	static const struct {
		struct world w;
		size_t judged;
	} rows[] = {
		{ { 200, 1, "native:scatter+allgather", { 0.01, 0.05 }, 1, 15 }, 200 },
		{ { 200, 1, "native:scatter+allgather", { 0.01, 0.05 }, 1, 14 }, 0 },
		{ { 1, 1, "native:scatter+allgather", { 0.01, 0.05 }, 1, 7 }, 1 },
		{ { 1, 1, "native:scatter+allgather", { 0.01, 0.05 }, 1, 6 }, 0 },
		{ { 200, 2, "ring", { 0.01, 0.05 }, 1, 19 }, 200 },
		{ { 200, 2, "ring", { 0.01, 0.05 }, 1, 18 }, 0 },
		{ { 1, 1, "native:scatter+allgather", { 0.01, 0.05 }, 1, 0 }, 0 },
	};
	struct rng rng;

	rng_seed(&rng, 14);
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t judged = 0;

		violations(&rows[i].w, &rng, &judged);
		if (judged != rows[i].judged)
			fail_msg("row %zu: %zu checks judged, not %zu", i, judged, rows[i].judged);
	}
}

static void sides_that_were_timed_differently_are_not_compared(void **state)
{
	struct guideline_rows rows = { .exact = false };
	struct findings found = { .n = 0 };
	struct rng rng;

	rng_seed(&rng, 15);
	for (uint64_t ranks = 2; ranks <= 4; ranks++) {
		add_noisy(&rows, "native", ranks, ranks == 3 ? NAN : 2, (struct noise){ 0.01, 0 }, VISITS, &rng);
		add_noisy(&rows, "native:scatter+allgather", ranks, 1, (struct noise){ 0.01, 0 }, VISITS, &rng);
	}
	rows.at[0].behind_barrier = true;
	assert_int_equal(guidelines_judge(&rows, true, &found), ST_OK);
	assert_int_equal(found.n, 3);
	assert_string_equal(found.at[0].why, "only one side was timed behind a barrier");
	assert_string_equal(found.at[1].why, "too many operations began late");
	assert_int_equal(found.at[2].verdict, VERDICT_YES);
	assert_string_equal(text_of(&found.at[2], "left"), "native bcast of 4 ranks");
	assert_true(found.at[2].lo < found.at[2].effect && found.at[2].effect < found.at[2].hi);
	findings_free(&found);
	guideline_rows_free(&rows);
}

/* Visits are compared with those of the same number, so that a drift of all times does no harm. */
static void visits_of_the_same_number_are_compared(void **state)
{
	struct guideline_rows rows = { .exact = false };
	struct findings found = { .n = 0 };

	for (size_t dropped = 0; dropped <= 4; dropped += 4) {
		struct guideline_row row = { .operation = "bcast", .algorithm = dropped ? "native:scatter+allgather" : "native",
					     .root = "0", .ranks = 2, .size = 8, .time_s = 1, .dropped = dropped };

		for (size_t i = dropped; i < VISITS; i++)
			assert_int_equal(series_push(&row.visits, 100 - (double)i), 0);
		assert_int_equal(guideline_rows_add(&rows, &row), ST_OK);
	}
	assert_int_equal(guidelines_judge(&rows, false, &found), ST_OK);
	assert_int_equal(found.n, 1);
	assert_true(number_of(&found.at[0], "visits") == VISITS - 4);
	assert_true(number_of(&found.at[0], "ratio") == 1 && number_of(&found.at[0], "ratio_hi") == 1);
	findings_free(&found);
	guideline_rows_free(&rows);
}

/* ---- rows of results ---- */

static void a_result_has_the_medians_of_its_visits(void **state)
{
	static const char doc[] =
		"{\"computed\": false, \"environment\": {\"backend\": {\"name\": \"mpi\"}}, \"rows\": ["
		"{\"operation\": \"bcast\", \"algorithm\": \"native\", \"ranks\": 2, \"root\": \"0\", \"size_B\": 8,"
		" \"collective_s\": 2e-6, \"repetitions\": 5, \"samples\": {\"iteration_p50_s\": [1, 3, 2, 7, 5],"
		" \"visit_end\": [3, 5]}},"
		"{\"operation\": \"bcast\", \"algorithm\": \"linear\", \"ranks\": 2, \"root\": \"0\", \"size_B\": 8,"
		" \"behind_barrier_s\": 3e-6, \"repetitions\": 5, \"samples\": {\"iteration_p50_s\": [1, 3],"
		" \"visit_end\": [3, 5]}},"
		"{\"operation\": \"bcast\", \"algorithm\": \"chain\", \"ranks\": 2, \"size_B\": 8, \"note\": \"n/a\"}]}";
	json_t *read = json_loads(doc, 0, NULL);
	struct guideline_rows rows = { .n = 0 };

	assert_non_null(read);
	assert_int_equal(guideline_rows_read(&rows, read), ST_OK);
	assert_int_equal(rows.n, 2);
	assert_true(rows.of_mpi && !rows.exact);
	assert_int_equal(rows.at[0].visits.n, 2);
	assert_true(rows.at[0].visits.s[0] == 2 && rows.at[0].visits.s[1] == 6);
	assert_true(!rows.at[0].behind_barrier && rows.at[0].time_s == 2e-6);
	assert_int_equal(rows.at[1].visits.n, 0);
	assert_true(rows.at[1].behind_barrier && rows.at[1].time_s == 3e-6);
	guideline_rows_free(&rows);
	json_decref(read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computed_times_are_compared_plainly),
		cmocka_unit_test(without_native_rows_the_first_algorithm_is_the_left_side),
		cmocka_unit_test(the_quickest_algorithm_is_listed_from_each_size_on),
		cmocka_unit_test(noise_is_hardly_ever_a_violation),
		cmocka_unit_test(the_best_algorithm_is_judged_by_other_visits),
		cmocka_unit_test(a_left_side_that_is_slower_by_20_percent_is_found),
		cmocka_unit_test(fewer_visits_than_needed_give_no_verdict),
		cmocka_unit_test(sides_that_were_timed_differently_are_not_compared),
		cmocka_unit_test(visits_of_the_same_number_are_compared),
		cmocka_unit_test(a_result_has_the_medians_of_its_visits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
