/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/figures.h"
#include "analyse/runs/groups.h"
#include "analyse/runs/paired.h"
#include "analyse/runs/quantile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void near(double got, double want, double off)
{
	if (!(fabs(got - want) <= off))
		fail_msg("got %.17g, want %.17g", got, want);
}

static void quantiles_are_those_of_the_tables(void **state)
{
	(void)state;
	near(student_quantile(0.975, 1), 12.7062047, 1e-6);
	near(student_quantile(0.975, 10), 2.2281389, 1e-6);
	near(student_quantile(0.995, 4.5), 4.2868, 2e-2);
	near(student_quantile(0.025, 10), -2.2281389, 1e-6);
	near(chi_squared_quantile(0.2, 6), 3.0700884, 1e-6);
	near(chi_squared_quantile(0.95, 1), 3.8414588, 1e-6);
}

static void ends_of_intervals_are_those_of_the_tables(void **state)
{
	static const size_t signed_rank[][2] = {
		{ 5, 0 }, { 6, 1 }, { 7, 3 }, { 8, 4 }, { 9, 6 }, { 10, 9 }, { 12, 14 }, { 15, 26 }, { 20, 53 }, { 30, 138 },
	};
	static const size_t mann_whitney[][3] = { { 4, 4, 1 }, { 5, 5, 3 }, { 8, 8, 14 }, { 3, 12, 5 }, { 12, 3, 5 }, { 2, 2, 0 } };

	(void)state;
	for (size_t i = 0; i < COUNT(signed_rank); i++)
		assert_int_equal(signed_rank_bound(signed_rank[i][0], 0.05), signed_rank[i][1]);
	for (size_t i = 0; i < COUNT(mann_whitney); i++)
		assert_int_equal(mann_whitney_bound(mann_whitney[i][0], mann_whitney[i][1], 0.05), mann_whitney[i][2]);
}

static const double G1[] = {
	31, 22, 41, -6, 27, 35, 18, 29, 12, -14, 27, -21, 8, -3, 16, -9, 101, 93, 118, 87, 99, 112, 95, 104,
};
static const double G3[] = {
	61, 48, 55, 72, 66, 710, 58, 49, 63, 57, 69, 52, 20, 11, -13, 4, 17, 690, -6, 9, -11, 14, 3, -8,
};

/* Judges differences that are given in thousandths. */
static int judge(const double *thousandths, size_t points, size_t n, double margin, double alpha, struct paired_point *out)
{
	double d[64];

	for (size_t i = 0; i < points * n; i++)
		d[i] = thousandths[i] / 1000;
	return paired_judge(&(struct run_blocks){ points, n, d }, margin, alpha, out);
}

static void blocks_have_the_golden_numbers(void **state)
{
	static const struct {
		double ratio, lo, hi, p, worse5, worse2;
	} want[] = {
		{ .02675, .0105, .035, 6, 256, 86 }, { .002, -.014, .0175, 192, 256, 254 }, { .1005, .093, .111, 2, 1, 1 },
	};
	struct paired_point got[3];

	(void)state;
	assert_int_equal(judge(G1, 3, 8, 0.05, 0.05, got), PAIRED_WORSE);
	for (size_t i = 0; i < 3; i++) {
		near(log(got[i].ratio), want[i].ratio, 1e-12);
		near(log(got[i].lo), want[i].lo, 1e-12);
		near(log(got[i].hi), want[i].hi, 1e-12);
		near(got[i].p * 256, want[i].p, 1e-9);
		near(got[i].p_worse * 256, want[i].worse5, 1e-9);
	}
	judge(G1, 3, 8, 0.02, 0.05, got);
	for (size_t i = 0; i < 3; i++)
		near(got[i].p_worse * 256, want[i].worse2, 1e-9);
}

static void a_block_that_is_off_decides_nothing(void **state)
{
	static const double want[][3] = { { .031, .0225, .3655 }, { .0095, -.0085, .346 }, { .1055, .096, .447 } };
	static const double p[] = { 2, 50, 2 };
	static const double off[] = { 700, 680, 790 };
	struct paired_point got[3];
	double d[24];

	(void)state;
	memcpy(d, G1, sizeof(d));
	for (size_t i = 0; i < 3; i++)
		d[i * 8 + 3] = off[i];
	judge(d, 3, 8, 0.05, 0.05, got);
	for (size_t i = 0; i < 3; i++) {
		near(log(got[i].ratio), want[i][0], 1e-12);
		near(log(got[i].lo), want[i][1], 1e-12);
		near(log(got[i].hi), want[i][2], 1e-12);
		near(got[i].p * 256, p[i], 1e-9);
	}
}

static void twelve_blocks_are_cut_closer(void **state)
{
	static const double want[][5] = { { .0605, .0545, .0705, 2, 7 }, { .00575, -.0035, .0185, 834, 4080 } };
	struct paired_point got[2];

	(void)state;
	judge(G3, 2, 12, 0.05, 0.05, got);
	for (size_t i = 0; i < 2; i++) {
		near(log(got[i].ratio), want[i][0], 1e-12);
		near(log(got[i].lo), want[i][1], 1e-12);
		near(log(got[i].hi), want[i][2], 1e-12);
		near(got[i].p * 4096, want[i][3], 1e-9);
		near(got[i].p_worse * 4096, want[i][4], 1e-9);
	}
}

static void verdicts_need_six_blocks_and_all_points(void **state)
{
	static const double slow[] = { 101, 93, 118, 87, 99, 112, 95, 104 }, level[] = { 1, -2, 3, 0, -1, 2, -3, 1 };
	struct paired_point got[2];
	double both[16];

	(void)state;
	assert_int_equal(judge(slow, 1, 8, 0.05, 0.05, got), PAIRED_WORSE);
	assert_int_equal(judge(slow, 1, 5, 0.05, 0.05, got), PAIRED_CANNOT_TELL);
	assert_int_equal(judge(level, 1, 8, 0.05, 0.05, got), PAIRED_NOT_WORSE);
	memcpy(both, level, sizeof(level));
	memcpy(both + 8, G1, 8 * sizeof(double));
	assert_int_equal(judge(both, 2, 8, 0.02, 0.05, got), PAIRED_CANNOT_TELL);
	both[3] = NAN;
	assert_int_equal(judge(both, 1, 8, 0.05, 0.05, got), PAIRED_NOT_WORSE);
}

static void looks_share_five_percent(void **state)
{
	double used = 0;

	(void)state;
	for (size_t n = interim_next(0); n; n = interim_next(n))
		used += interim_level(n, used, false);
	near(used, 0.0475, 1e-12);
	near(interim_level(15, 0, true), 0.05, 1e-12);
	near(interim_level(15, 0.02, true), 0.03, 1e-12);
	assert_true(isnan(interim_level(15, 0, false)));
	assert_int_equal(interim_next(90), 0);
}

static void blocks_that_are_still_needed(void **state)
{
	struct paired_point point = { .effect = .02, .half = .03 };
	struct run_blocks b = { 1, 12, NULL };

	(void)state;
	assert_int_equal(paired_needed(&b, 0.05, &point), 14);
	point.effect = log(1.05) - .005;
	assert_true(paired_needed(&b, 0.05, &point) == (size_t)-1);
	point.effect = .2;
	assert_int_equal(paired_needed(&b, 0.05, &point), 0);
}

static void the_smallest_difference_that_can_be_seen(void **state)
{
	static const double t[] = { 10.2, 10.5, 9.9, 10.1, 13, 10.3, 10, 10.4, 10.2, 10.6 };
	struct run_spread s;
	double y[10];

	(void)state;
	for (size_t i = 0; i < 10; i++)
		y[i] = log(t[i]);
	s = run_spread(y, 10);
	near(s.s, .118735, 1e-6);
	near(sqrt(s.nu / chi_squared_quantile(0.2, s.nu)), 1.3980, 1e-4);
	near(visible_slowdown(s, 8), .422, 5e-4);
	near(visible_slowdown(s, 40), .117, 5e-4);
	near(finding_limit(s, 1), student_quantile(0.975, 6) * s.s, 1e-12);
	assert_true(isnan(run_spread(y, 1).s));
}

static void groups_have_the_golden_numbers(void **state)
{
	static const double a[] = { 2.302, 2.311, 2.295, 2.307, 4.610, 4.598, 4.605, 4.612 };
	static const double b[] = { 2.391, 2.402, 2.388, 2.399, 4.611, 4.603, 4.620, 4.607 };
	struct group_shift got[2];

	(void)state;
	groups_judge(&(struct run_groups){ 2, 4, 4, a, b }, got);
	near(got[0].p * 70, 2, 1e-9);
	near(got[1].p * 70, 34, 1e-9);
	near(log(got[0].ratio), .0915, 1e-12);
	near(log(got[0].lo), .077, 1e-12);
	near(log(got[0].hi), .107, 1e-12);
}

/* Nights of two points with small, known noise. Tonight is slower by `more` in the second point. */
static struct night tonight(size_t nights, double more)
{
	static double y[100 * 2];
	struct night got;

	for (size_t j = 0; j <= nights; j++) {
		y[2 * j] = 1 + 0.01 * sin((double)(j * j));
		y[2 * j + 1] = 2 + 0.01 * cos((double)(j * j)) + (j == nights ? more : 0);
	}
	night_judge(y, nights, 2, 0.05, &got);
	return got;
}

static void a_slow_night_is_an_alarm(void **state)
{
	static const size_t nights[] = { 5, 12, 19, 25, 26, 46 };

	(void)state;
	for (size_t i = 0; i < COUNT(nights); i++) {
		struct night slow = tonight(nights[i], 0.2), usual = tonight(nights[i], 0);

		assert_true(slow.alarm && slow.point == 1 && slow.p <= 0.05);
		near(slow.excess, 0.2, 0.03);
		assert_false(usual.alarm);
	}
	assert_true(isnan(tonight(4, 0.2).p) && !tonight(4, 0.2).alarm);
	assert_false(tonight(46, 0.03).alarm);		/* within the margin */
}

static void one_command_has_the_golden_median(void **state)
{
	static const double ms[] = { 10.2, 10.5, 9.9, 10.1, 13, 10.3, 10, 10.4, 10.2, 10.6 };
	double y[10];
	struct run_median m;

	(void)state;
	for (size_t i = 0; i < 10; i++)
		y[i] = log(ms[i]);
	m = run_median(y, 5);
	assert_true(isnan(m.lo) && isnan(m.hi));
	for (size_t i = 0; i < 10; i++)
		y[i] = log(ms[i]);
	m = run_median(y, 10);
	near(exp(m.middle), sqrt(10.2 * 10.3), 1e-9);
	near(exp(m.lo), 10, 1e-9);
	near(exp(m.hi), 10.6, 1e-9);
	assert_true(isnan(run_median(y, 0).middle));
}

static struct figure figure(const char *name, uint64_t window, double value)
{
	return (struct figure){ "latency", name, "s", 8, window, value, value / 2, 2 * value,
				.few = value > 5 };
}

/* Seven runs: one has no window of 2, all have few repetitions in one run, and one measure is 0. */
static void figures_of_runs_are_their_medians(void **state)
{
	static const double ms[] = { 3, 1, 4, 2, 7, 5, 6 };
	struct figures run[7] = { { .n = 0 } }, all = { .n = 0 };
	const uint64_t size = 8;
	const struct figure *f;

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		struct figure of[] = { figure("a_s", 1, ms[i]), figure("a_s", 2, ms[i]),
				       figure("zero_s", 1, 0), figure("exact_s", 1, 0.1) };

		of[3].exact = true;
		for (size_t k = 0; k < COUNT(of); k++)
			if (k != 1 || i)
				assert_int_equal(figures_add(&run[i], &of[k]), 0);
	}
	assert_int_equal(combine_figures(run, 7, &all), 0);
	assert_int_equal(all.n, 3);
	f = find_figure(&all, "latency", "a_s", &size);
	/* over all runs: the interval is over runs, not over repetitions */
	near(f->value, 4, 1e-12);
	near(f->lo, 1, 1e-12);
	near(f->hi, 7, 1e-12);
	assert_false(f->few);
	f = find_figure(&all, "latency", "exact_s", &size);
	assert_true(f->exact && f->value == 0.1);
	assert_string_equal(all.at[2].name, "a_s");	/* the first run lacks it */
	assert_int_equal(all.at[2].window, 2);
	near(all.at[2].value, sqrt(4 * 5), 1e-12);
	for (size_t i = 0; i < 7; i++)
		free(run[i].at);
	free(all.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_the_tables),
		cmocka_unit_test(ends_of_intervals_are_those_of_the_tables),
		cmocka_unit_test(blocks_have_the_golden_numbers),
		cmocka_unit_test(a_block_that_is_off_decides_nothing),
		cmocka_unit_test(twelve_blocks_are_cut_closer),
		cmocka_unit_test(verdicts_need_six_blocks_and_all_points),
		cmocka_unit_test(looks_share_five_percent),
		cmocka_unit_test(blocks_that_are_still_needed),
		cmocka_unit_test(the_smallest_difference_that_can_be_seen),
		cmocka_unit_test(groups_have_the_golden_numbers),
		cmocka_unit_test(a_slow_night_is_an_alarm),
		cmocka_unit_test(one_command_has_the_golden_median),
		cmocka_unit_test(figures_of_runs_are_their_medians),
	};

	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
