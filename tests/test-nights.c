/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/compare/differ.h"
#include "analyse/history/gate.h"
#include "base/random.h"
#include "base/sort.h"
#include "cli/command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 5 };

static double uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) / 9007199254740992.0;
}

/* Returns a normal random variable, by Box and Muller. */
static double normal(struct rng *r)
{
	double u = 1 - uniform(r), v = uniform(r);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/*
 * Makes a night: medians of three runs that differ by 3 %, their points by 2 %. `slower`: a
 * logarithm (ln) added to the time.
 */
static void night(struct rng *r, double slower, double *y)
{
	double runs[POINTS][3];

	for (int i = 0; i < 3; i++) {
		double run = 0.03 * normal(r);

		for (int p = 0; p < POINTS; p++)
			runs[p][i] = run + 0.02 * normal(r) + slower;
	}
	for (int p = 0; p < POINTS; p++)
		y[p] = median(runs[p], 3);
}

/* Counts the alarms in 1000 nights, and the confirmed ones, after this number of nights. */
struct tries { int alarms, confirmed; };

static struct tries try_nights(size_t before, double slower)
{
	static double y[64 * POINTS];
	struct tries got = { 0 };
	struct rng r;

	rng_seed(&r, 7 + before);
	for (int k = 0; k < 1000; k++) {
		struct nights nights = { .n = before + 2, .points = POINTS, .y = y };
		struct gate gate;

		for (size_t i = 0; i < nights.n; i++)
			night(&r, i >= before ? slower : 0, y + i * POINTS);
		gate_judge(&nights, 2, 0.05, &gate);
		got.alarms += gate.look[0].alarm;
		got.confirmed += gate.look[0].alarm && gate.look[1].alarm;
	}
	return got;
}

static void quiet_nights_are_seldom_alarms_and_hardly_ever_confirmed(void **state)
{
	static const size_t before[] = { 5, 12, 19, 26, 29, 46 };

	(void)state;
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		struct tries got = try_nights(before[i], 0);

		if (got.alarms > 80 || got.confirmed > 30)
			fail_msg("after %zu nights: %d alarms, %d confirmed", before[i], got.alarms, got.confirmed);
	}
}

static void ten_percent_are_found_in_most_nights(void **state)
{
	struct tries got = try_nights(26, log(1.1));

	(void)state;
	if (got.alarms < 700 || got.confirmed < 600)
		fail_msg("%d alarms, %d confirmed", got.alarms, got.confirmed);
}

/*
 * A loaded night is the worst of the history for weeks. Three slow nights in a row still raise an
 * alarm.
 */
static void a_loaded_night_hides_no_lasting_step(void **state)
{
	struct rng r;
	int confirmed = 0;

	(void)state;
	rng_seed(&r, 3);
	for (int k = 0; k < 200; k++) {
		struct nights nights = { .n = 34, .points = POINTS };
		struct gate gate;
		double all[34 * POINTS];

		for (size_t i = 0; i < 34; i++)
			night(&r, i == 20 ? 0.4 : i >= 30 ? log(1.1) : 0, all + i * POINTS);
		nights.y = all;
		gate_judge(&nights, 2, 0.05, &gate);
		confirmed += gate.look[0].alarm && gate.look[1].alarm && gate.streak;
	}
	if (confirmed < 160)
		fail_msg("%d of 200", confirmed);
}

static void no_night_is_judged_by_four_others(void **state)
{
	(void)state;
	assert_int_equal(try_nights(4, 1).alarms, 0);
}

/*
 * Two runs that differ only in the destination of their results are alike, because keys leave that
 * out.
 */
static void options_of_output_are_incidental(void **state)
{
	char path[64];

	(void)state;
	for (const struct opt *o = output_options; o->name; o++) {
		snprintf(path, sizeof(path), "options.%s", o->name);
		assert_true(member_is_incidental(path));
	}
	assert_false(member_is_incidental("options.sizes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet_nights_are_seldom_alarms_and_hardly_ever_confirmed),
		cmocka_unit_test(ten_percent_are_found_in_most_nights),
		cmocka_unit_test(a_loaded_night_hides_no_lasting_step),
		cmocka_unit_test(no_night_is_judged_by_four_others),
		cmocka_unit_test(options_of_output_are_incidental),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
