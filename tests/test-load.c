/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests latency under load: quantiles of epochs, factors of pairs, and which ranks send to which.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyse/load.h"
#include "base/random.h"
#include "cmd/load/cast.h"
#include "cmd/load/instants.h"

/* ---- epochs ---- */

/* Returns a random number in (0, 1). */
static double draw(struct rng *rng)
{
	return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

/* Makes n events of an epoch with exponential times of this mean. */
static void add_epoch(struct epochs *e, struct rng *rng, size_t n, double mean, uint64_t unanswered)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(series_push(&e->events, -mean * log(draw(rng))), 0);
	assert_int_equal(end_epoch(e, unanswered, (double)n), 0);
}

static void an_epoch_of_few_events_has_a_median_and_no_tail(void **state)
{
	static const struct {
		size_t n;
		double q;
		bool known;
	} cases[] = {
		{ 5, 0.5, false }, { 30, 0.5, true }, { 30, 0.9, false }, { 400, 0.9, true },
		{ 300, 0.99, false }, { 2000, 0.99, true }, { 2000, 0.999, false },
	};
	struct rng rng;

	rng_seed(&rng, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct epochs e = { .n = 0 };

		add_epoch(&e, &rng, cases[i].n, 1, 0);
		assert_int_equal(!isnan(epoch_quantile(&e, 0, cases[i].q)), cases[i].known);
		epochs_free(&e);
	}
}

static void unanswered_events_are_longer_than_any_that_ended(void **state)
{
	struct epochs e = { .n = 0 };
	struct rng rng;

	rng_seed(&rng, 2);
	add_epoch(&e, &rng, 1000, 1, 1500);
	assert_true(isnan(epoch_quantile(&e, 0, 0.5)));
	add_epoch(&e, &rng, 1000, 1, 250);
	assert_true(epoch_quantile(&e, 1, 0.5) > log(2) * 1.1);	/* the 625th of 1250 */
	assert_true(isnan(epoch_quantile(&e, 1, 0.9)));
	epochs_free(&e);
}

static void a_discarded_epoch_leaves_those_before_it(void **state)
{
	struct epochs e = { .n = 0 };
	struct rng rng;

	rng_seed(&rng, 3);
	add_epoch(&e, &rng, 10, 1, 0);
	assert_int_equal(series_push(&e.events, 99), 0);
	discard_epoch(&e);
	assert_int_equal(e.events.n, 10);
	assert_true(epochs_max(&e) < 99);
	epochs_free(&e);
}

/* ---- factors ---- */

/* Counts how many intervals of 200 hold the true factor, with a drift over the epochs. */
static int holds(double factor, double drift)
{
	int held = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct epochs quiet = { .n = 0 }, loaded = { .n = 0 };
		struct bounded f;
		struct rng rng;

		rng_seed(&rng, seed);
		for (int i = 0; i < 20; i++) {
			double level = 1 + drift * i / 20;

			add_epoch(&quiet, &rng, 100, level, 0);
			add_epoch(&loaded, &rng, 100, level * factor, 0);
		}
		f = load_factor(&quiet, &loaded, 0.5);
		held += f.lo <= factor && factor <= f.hi;
		epochs_free(&quiet);
		epochs_free(&loaded);
	}
	return held;
}

static void the_interval_of_a_factor_holds_it_in_19_of_20_runs_also_with_drift(void **state)
{
	assert_in_range(holds(1, 0), 186, 200);
	assert_in_range(holds(1.2, 0), 186, 200);
	assert_in_range(holds(1.2, 0.5), 186, 200);
}

static void a_factor_needs_six_pairs(void **state)
{
	struct epochs quiet = { .n = 0 }, loaded = { .n = 0 };
	struct rng rng;

	rng_seed(&rng, 4);
	for (int i = 0; i < 6; i++) {
		assert_true(isnan(load_factor(&quiet, &loaded, 0.5).value));
		assert_true(isnan(load_rate_factor(&quiet, &loaded).value));
		add_epoch(&quiet, &rng, 100, 1, 0);
		add_epoch(&loaded, &rng, 50, 1, 0);
	}
	assert_false(isnan(load_factor(&quiet, &loaded, 0.5).value));
	/* a factor above 1 is worse */
	assert_float_equal(load_rate_factor(&quiet, &loaded).value, 2, 1e-12);
	epochs_free(&quiet);
	epochs_free(&loaded);
}

static void a_median_has_an_interval_from_six_values_on(void **state)
{
	double values[] = { 6, 1, 5, 2, 4, 3 };

	assert_true(isnan(median_with_bounds(values, 0).value));
	assert_float_equal(median_with_bounds(values, 5).value, 4, 0);
	assert_true(isnan(median_with_bounds(values, 5).lo));
	assert_float_equal(median_with_bounds(values, 6).value, 3.5, 0);
	assert_float_equal(median_with_bounds(values, 6).lo, 1, 0);
	assert_float_equal(median_with_bounds(values, 6).hi, 6, 0);
}

/* ---- instants ---- */

static void instants_have_the_mean_gap_and_the_distances_asked_for(void **state)
{
	static double at[20000];
	struct rng rng;
	size_t n, small = 0;

	rng_seed(&rng, 5);
	assert_true(instants_room(10000) <= 20000);
	n = instants_draw(&rng, 0.5, 10.25, true, at, 20000);
	assert_int_equal(n, 20);
	assert_float_equal(at[0], 0.5, 0);
	assert_float_equal(at[19], 10, 0);
	n = instants_draw(&rng, 1, 10000, false, at, 20000);
	assert_in_range(n, 9700, 10300);
	/* a gap is below ln 2 of the mean in half of all cases */
	for (size_t i = 1; i < n; i++) {
		assert_true(at[i] > at[i - 1] && at[i] < 10000);
		small += at[i] - at[i - 1] < log(2);
	}
	assert_in_range(small, n / 2 - 200, n / 2 + 200);
	assert_int_equal(instants_draw(&rng, 1, 10000, false, at, 7), 7);
}

static void patterns_have_names(void **state)
{
	assert_int_equal(cast_parse_patterns("broadcast"), 1U << LOAD_BROADCAST);
	assert_int_equal(cast_parse_patterns("alltoall+incast"),
			 1U << LOAD_INCAST | 1U << LOAD_ALLTOALL);
}

/* ---- roles ---- */

static void each_placement_gives_each_rank_one_role(void **state)
{
	for (int n = 4; n <= 40; n++)
		for (int place = PLACE_RANDOM; place <= PLACE_SAME_SWITCH; place++) {
			struct cast c;
			int host[40], roles[4] = { 0 };

			for (int r = 0; r < n; r++)
				host[r] = r % 3;
			assert_int_equal(cast_make(&c, n, &(struct casting){
				.place = (enum load_place)place, .host = host, .seed = 7 }), 0);
			for (int r = 0; r < n; r++)
				roles[c.role[r]]++;
			assert_int_equal(roles[LOAD_ROLE_IDLE], 0);
			assert_int_equal(roles[LOAD_ROLE_ASKER], roles[LOAD_ROLE_ANSWERER]);
			assert_int_equal(roles[LOAD_ROLE_ASKER] * 2, cast_default_victims(n));
			assert_int_equal(roles[LOAD_ROLE_AGGRESSOR], c.naggressors);
			cast_free(&c);
		}
}

static void victims_share_a_host_or_are_spread_over_all(void **state)
{
	int host[15], seen[3] = { 0 };
	struct cast c;

	for (int r = 0; r < 15; r++)
		host[r] = r % 3;
	assert_int_equal(cast_make(&c, 15, &(struct casting){
		.place = PLACE_SAME_HOST, .host = host, .seed = 1 }), 0);
	for (int i = 1; i < c.nvictims; i++)
		assert_int_equal(host[c.victim[i]], host[c.victim[0]]);
	cast_free(&c);
	assert_int_equal(cast_make(&c, 30, &(struct casting){
		.place = PLACE_STRIPED, .host = (int[30]){ 0 }, .seed = 1 }), 0);
	for (int i = 0; i < c.nvictims; i++)
		seen[c.victim[i] / 10]++;
	assert_true(seen[0] && seen[1] && seen[2]);
	cast_free(&c);
}

/* 12 hosts of 2 ranks each, 6 hosts on each of two switches. */
static void victims_are_on_one_switch_on_different_hosts(void **state)
{
	int host[24], leaf[24];

	for (int r = 0; r < 24; r++) {
		host[r] = r / 2;
		leaf[r] = r / 12;
	}
	for (int place = PLACE_SAME_SWITCH; place <= PLACE_APART; place++) {
		bool near = false;
		struct cast c;

		assert_int_equal(cast_make(&c, 24, &(struct casting){
			.place = (enum load_place)place, .host = host, .leaf = leaf, .seed = 1 }), 0);
		assert_int_equal(c.nvictims, 4);
		for (int i = 0; i < c.nvictims; i++) {
			assert_int_equal(leaf[c.victim[i]], 0);
			for (int j = 0; j < i; j++)
				assert_int_not_equal(host[c.victim[i]], host[c.victim[j]]);
		}
		for (int i = 0; i < c.naggressors; i++)
			near |= leaf[c.aggressor[i]] == 0;
		assert_int_equal(near, place == PLACE_SAME_SWITCH);
		assert_int_equal(c.naggressors, place == PLACE_APART ? 12 : 20);
		cast_free(&c);
	}
}

/*
 * The aggressor sends to each rank that cast_receiver names, and cast_receiver names all its receivers.
 */
static void messages_go_to_the_receivers_of_their_patterns(void **state)
{
	struct cast c;

	assert_int_equal(cast_make(&c, 9, &(struct casting){
		.place = PLACE_RANDOM, .seed = 3 }), 0);
	for (unsigned patterns = 1; patterns < 1U << LOAD_AGGRESSORS; patterns++)
		for (int from = 0; from < c.naggressors; from++) {
			struct load_traffic t = { .patterns = patterns, .target = (int)(patterns % 3) };
			bool got[9] = { false };

			if (!cast_sends_any(&c, t, from)) {
				for (int to = 0; to < c.naggressors; to++)
					assert_false(cast_sends(&c, t, from, to));
				continue;
			}
			for (uint64_t k = 0; k < 100; k++)
				got[cast_receiver(&c, t, from, k)] = true;
			for (int to = 0; to < c.naggressors; to++)
				assert_int_equal(got[to], cast_sends(&c, t, from, to));
		}
	cast_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_epoch_of_few_events_has_a_median_and_no_tail),
		cmocka_unit_test(unanswered_events_are_longer_than_any_that_ended),
		cmocka_unit_test(a_discarded_epoch_leaves_those_before_it),
		cmocka_unit_test(the_interval_of_a_factor_holds_it_in_19_of_20_runs_also_with_drift),
		cmocka_unit_test(a_factor_needs_six_pairs),
		cmocka_unit_test(a_median_has_an_interval_from_six_values_on),
		cmocka_unit_test(instants_have_the_mean_gap_and_the_distances_asked_for),
		cmocka_unit_test(each_placement_gives_each_rank_one_role),
		cmocka_unit_test(victims_share_a_host_or_are_spread_over_all),
		cmocka_unit_test(victims_are_on_one_switch_on_different_hosts),
		cmocka_unit_test(patterns_have_names),
		cmocka_unit_test(messages_go_to_the_receivers_of_their_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
