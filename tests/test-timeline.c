/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/monitor/judge.h"
#include "analyse/monitor/outages.h"
#include "analyse/monitor/steps.h"
#include "base/random.h"
#include "show/monitor/metrics.h"
#include "show/monitor/words.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define START 1795874400.0 /* 28 Nov 2026, 14:00:00 UTC */
#define INTERVALS 360

static const struct timeline_rules usual = {
	.interval_s = 10, .change = 0.05, .flap_s = 300,
	.fail_change = NAN, .fail_flaps = NAN, .fail_up = NAN,
};

static double normal(struct rng *r)
{
	double u = 1 - (double)(rng_next(r) >> 11) / 9007199254740992.0;
	double v = (double)(rng_next(r) >> 11) / 9007199254740992.0;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Adds the row of a bandwidth in interval i; the row has no value if it is NaN. */
static void add_row(struct monitored *t, size_t i, double size, double value)
{
	time_t at = (time_t)(START + 10 * (double)i);
	char begun[40];
	struct tm tm;
	json_t *row;

	gmtime_r(&at, &tm);
	strftime(begun, sizeof(begun), "%Y-%m-%dT%H:%M:%S.000Z", &tm);
	row = json_pack("{s:s, s:f, s:f, s:i}", "begun", begun, "elapsed_s", 10 * (double)i,
			"size_B", size, "errors", 0);
	if (!isnan(value))
		json_object_set_new(row, "bandwidth_Bps", json_real(value));
	timeline_add(t, row);
	json_decref(row);
}

/* Makes bandwidths with noise of 2 %, lower by `step` from interval `from` to before `to`. */
static struct monitored noisy(uint64_t seed, size_t n, double step, size_t from, size_t to)
{
	struct monitored t = { 0 };
	struct rng r;

	rng_seed(&r, seed);
	for (size_t i = 0; i < n; i++)
		add_row(&t, i, 8, 1e9 * exp(0.02 * normal(&r)) *
				(i >= from && i < to ? 1 - step : 1));
	return t;
}

/* Number of findings of a kind. Sets *first to the first one, which may be NULL. */
static size_t count(const struct findings *found, const char *kind, const struct finding **first)
{
	size_t n = 0;

	*first = NULL;
	for (size_t i = found->n; i--;)
		if (!strcmp(found->at[i].kind, kind)) {
			*first = &found->at[i];
			n++;
		}
	return n;
}

static double number(const struct finding *f, const char *name)
{
	return json_number_value(json_object_get(f->evidence, name));
}

static const struct finding *only(const struct findings *found, const char *kind)
{
	const struct finding *first;

	assert_int_equal(count(found, kind, &first), 1);
	return first;
}

static void steps_of_10_percent_are_found_within_two_intervals(void **state)
{
	size_t placed = 0, quiet = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct monitored t = noisy(seed, INTERVALS, 0.1, 100, 220);
		struct findings found = { .n = 0 };
		const struct finding *f;

		assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
		if (count(&found, "change", &f) == 2)
			placed += fabs(number(f, "at_s") - START - 1000) <= 20 &&
				  fabs(number(f + 1, "at_s") - START - 2200) <= 20 &&
				  fabs(f->effect + 0.1) < 0.02;
		findings_free(&found);
		timeline_free(&t);
		t = noisy(100 + seed, INTERVALS, 0, 0, 0);
		found = (struct findings){ .n = 0 };
		assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
		quiet += !count(&found, "change", &f);
		findings_free(&found);
		timeline_free(&t);
	}
	assert_true(placed >= 19);
	assert_true(quiet >= 19);
}

static void changes_of_a_series_are_one_sentence(void **state)
{
	struct monitored t = noisy(1, INTERVALS, 0.32, 20, 47);
	struct findings found = { .n = 0 };
	json_t *words;

	assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
	words = monitor_words(&found);
	assert_string_equal(json_string_value(json_array_get(words, 0)),
			    "bandwidth fell by 32 % at 14:03:20, rose by 47 % at 14:07:50");
	assert_non_null(strstr(json_string_value(json_array_get(words, 1)),
			       "360 intervals of 10.00 s, 14:00:00 to 14:59:50 UTC; 1 of 1 series "
			       "changed; a lasting change of 5.0 % or more would have been seen"));
	json_decref(words);
	findings_free(&found);
	timeline_free(&t);
}

/* A series in which the intervals from..to have no event. */
static struct monitored with_outage(size_t n, size_t from, size_t to)
{
	struct monitored t = { 0 };

	for (size_t i = 0; i < n; i++)
		for (double size = 8; size <= 64; size *= 8)
			add_row(&t, i, size, i >= from && i < to ? NAN : 1e9);
	return t;
}

static void a_link_that_is_down_for_30_s_is_one_flap(void **state)
{
	struct monitored t = with_outage(100, 40, 43);
	struct findings found = { .n = 0 };
	const struct finding *f;

	assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
	f = only(&found, "flaps");
	assert_float_equal(f->effect, 1, 0);
	assert_float_equal(number(f, "longest_s"), 30, 1e-6);
	assert_string_equal(json_string_value(json_object_get(f->evidence, "at")), "14:06:40");
	assert_float_equal(only(&found, "availability")->effect, 0.97, 1e-12);
	findings_free(&found);
	timeline_free(&t);
}

static void what_is_no_flap(void **state)
{
	static const struct {
		size_t n, from, to;
		double up;
	} cases[] = {
		{ 100, 40, 70, 0.7 },	/* as long as --flap */
		{ 100, 0, 5, 0.95 },	/* not up before */
		{ 100, 95, 100, 0.95 },	/* not up afterwards */
		{ 100, 0, 0, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct monitored t = with_outage(cases[i].n, cases[i].from, cases[i].to);
		struct findings found = { .n = 0 };

		assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
		assert_float_equal(only(&found, "flaps")->effect, 0, 0);
		assert_float_equal(only(&found, "availability")->effect, cases[i].up, 1e-12);
		findings_free(&found);
		timeline_free(&t);
	}
}

static void slow_intervals_are_flaps_and_a_gap_is_none(void **state)
{
	struct monitored t = { 0 };
	struct findings found = { .n = 0 };
	json_t *gap = json_pack("{s:s, s:s}", "begun", "2026-11-28T14:08:20.000Z", "note",
				"gap: 30 s without measurement");
	const struct finding *f;

	for (size_t i = 0; i < 100; i++) {
		if (i == 50)
			timeline_add(&t, gap);
		/* slow at 20 to 21, at 30 and at 40; at 49 and 50 on both sides of the gap */
		add_row(&t, i, 8, i == 20 || i == 21 || i == 30 || i == 40 || i == 49 || i == 50
					  ? 0.4e9 : 1e9);
	}
	assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
	f = only(&found, "flaps");
	assert_float_equal(f->effect, 3, 0);
	assert_float_equal(number(f, "total_s"), 40, 1e-6);
	assert_string_equal(json_string_value(json_object_get(f->evidence, "flapping")),
			    ", flapping");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(f->evidence, "hours"),
							   14)), 3);
	assert_float_equal(only(&found, "availability")->effect, 0.94, 1e-12);
	json_decref(gap);
	findings_free(&found);
	timeline_free(&t);
}

static void limits_decide_the_exit_status(void **state)
{
	static const struct {
		size_t n;
		double step, change, flaps, up;
		int status;
	} cases[] = {
		{ INTERVALS, 0.2, 0.1, NAN, NAN, 1 }, { INTERVALS, 0, 0.1, NAN, NAN, 0 },
		{ INTERVALS, -0.3, 0.1, NAN, NAN, 1 }, /* it rises, and falls again */
		{ 8, 0, 0.1, NAN, NAN, 4 }, { INTERVALS, 0, 0.01, NAN, NAN, 4 },
		{ INTERVALS, 0, NAN, 1, 0.999, 0 }, { 2, 0, NAN, 1, NAN, 4 },
		{ INTERVALS, 0.7, NAN, NAN, 0.9, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct monitored t = noisy(3, cases[i].n, cases[i].step, 100, 220);
		struct timeline_rules rules = usual;
		struct findings found = { .n = 0 };

		rules.fail_change = cases[i].change;
		rules.fail_flaps = cases[i].flaps;
		rules.fail_up = cases[i].up;
		assert_int_equal(timeline_judge(&t, 0, &rules, &found), 0);
		assert_int_equal(findings_status(&found), cases[i].status);
		findings_free(&found);
		timeline_free(&t);
	}
}

static void an_incomplete_interval_is_dropped(void **state)
{
	struct monitored t = with_outage(10, 0, 0);

	add_row(&t, 10, 8, 1e9);
	assert_int_equal(t.n, 11);
	timeline_drop_incomplete(&t);
	assert_int_equal(t.n, 10);
	timeline_free(&t);
}

static void memory_is_limited_and_outages_stay(void **state)
{
	struct monitored t = { .most = 20000 };
	struct findings found = { .n = 0 };

	for (size_t i = 0; i < 5000; i++)
		add_row(&t, i, 8, i == 7 ? NAN : 1e9);
	assert_true(t.n * (sizeof(double) * 10 + 1) <= 20000 + 100);
	assert_int_equal(t.n + t.removed, 5000);
	assert_int_equal(timeline_judge(&t, 0, &usual, &found), 0);
	assert_float_equal(only(&found, "flaps")->effect, 1, 0);
	assert_float_equal(only(&found, "availability")->effect, 0.9998, 1e-12);
	assert_float_equal(number(only(&found, "monitor"), "removed"), (double)t.removed, 0);
	findings_free(&found);
	timeline_free(&t);
}

static void long_series_have_the_same_changes_in_pieces(void **state)
{
	size_t n = 30000;
	double *x = calloc(n, sizeof(*x)), visible;
	struct change_points c;
	struct rng r;

	rng_seed(&r, 5);
	for (size_t i = 0; i < n; i++)
		x[i] = 0.02 * normal(&r) + (i >= 9216 && i < 12000 ? 0.1 : 0) +
		       (i >= 25000 ? 0.2 : 0);
	assert_int_equal(changes_of_long_series(x, n, 0.05, 360, &c, &visible), 0);
	assert_int_equal(c.n, 3);
	assert_in_range(c.at[0].at, 9214, 9218);
	assert_in_range(c.at[1].at, 11998, 12002);
	assert_in_range(c.at[2].at, 24998, 25002);
	assert_true(visible > 0.003 && visible < 0.02);
	change_points_free(&c);
	free(x);
}

static void metrics_are_gauges_without_empty_values(void **state)
{
	json_t *rows = json_pack(
		"[{s:i, s:f, s:f, s:n, s:i, s:s}]", "size_B", 8, "half_rtt_p50_s", 2e-6,
		"half_rtt_p99_s", 5e-6, "half_rtt_p999_s", "errors", 0, "note", "a\"b");
	const struct metrics m = { "latency", rows, true, START };
	char *text = metrics_text(&m);

	assert_non_null(strstr(text, "# TYPE netbench_half_rtt_seconds gauge\n"
			"netbench_half_rtt_seconds{command=\"latency\",size=\"8\","
			"quantile=\"0.5\"} 2e-06\n"
			"netbench_half_rtt_seconds{command=\"latency\",size=\"8\","
			"quantile=\"0.99\"} 5e-06\n"));
	assert_non_null(strstr(text, "\nnetbench_up{command=\"latency\"} 1\n"));
	assert_non_null(strstr(text, "netbench_last_interval_timestamp_seconds"
			       "{command=\"latency\"} 1795874400.000\n# EOF\n"));
	assert_null(strstr(text, "0.999"));
	assert_null(strstr(text, "counter"));
	free(text);
	json_decref(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_10_percent_are_found_within_two_intervals),
		cmocka_unit_test(changes_of_a_series_are_one_sentence),
		cmocka_unit_test(a_link_that_is_down_for_30_s_is_one_flap),
		cmocka_unit_test(what_is_no_flap),
		cmocka_unit_test(slow_intervals_are_flaps_and_a_gap_is_none),
		cmocka_unit_test(limits_decide_the_exit_status),
		cmocka_unit_test(an_incomplete_interval_is_dropped),
		cmocka_unit_test(memory_is_limited_and_outages_stay),
		cmocka_unit_test(long_series_have_the_same_changes_in_pieces),
		cmocka_unit_test(metrics_are_gauges_without_empty_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
