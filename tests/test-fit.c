/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the fit with times of a network with known parameters (METHODS 2.4): three protocols,
 * heavy-tailed noise and a drift, with and without corrupted sizes.
 */
#include "model/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"

#define ROUNDS 10
#define SAMPLES 20		/* samples of a point in a round; their median counts */
#define MOST 100

/* (upper size; o_s, O_s, o_r, L, g, G, G_lat), s. */
static const struct protocol {
	double upto, o_s, O_s, o_r, L, g, G, G_latency;
} protocols[] = {
	{ 220, 80e-9, .06e-9, 70e-9, 900e-9, 70e-9, .0825e-9, .0825e-9 },
	{ 8192, 120e-9, 0, 90e-9, 1150e-9, 140e-9, .0825e-9, .200e-9 },
	{ INFINITY, 350e-9, 0, 200e-9, 2900e-9, 600e-9, .0830e-9, .0835e-9 },
};

static const struct protocol *protocol_of(double s)
{
	const struct protocol *p = protocols;

	while (s > p->upto)
		p++;
	return p;
}

static double truth(enum fit_series q, double s)
{
	const struct protocol *p = protocol_of(s);
	double o_s = p->o_s + p->O_s * (s - 1), tail = s - 1;

	switch (q) {
	case FIT_LATENCY:
		return o_s + tail * p->G_latency + p->L + p->o_r;
	case FIT_GAP:
		return fmax(fmax(o_s, p->o_r), p->g + tail * p->G);
	case FIT_SEND:
		return o_s;
	default:
		return p->o_r;
	}
}

static double uniform(struct rng *r)
{
	return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53;
}

static double gauss(struct rng *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

/*
 * The noise: 0.4 % Gaussian, an exponential of 1 ns, 3 % Pareto of infinite variance, interrupts.
 */
static double noisy(double t, struct rng *r)
{
	t *= 1 + 0.004 * gauss(r);
	t += -1e-9 * log(uniform(r));
	if (uniform(r) < 0.03)
		t += 300e-9 * (pow(uniform(r), -1 / 1.3) - 1);
	if (uniform(r) < 0.0008)
		t += (5 + 75 * uniform(r)) * 1e-6;
	return t;
}

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The sizes 2^(i/4), rounded, each once. */
static size_t make_sizes(double *size)
{
	size_t n = 0;

	for (int i = 0; i <= 80; i++) {
		double s = round(pow(2, i / 4.0));

		if (!n || s > size[n - 1])
			size[n++] = s;
	}
	return n;
}

static double *make_series(enum fit_series q, const double *size, size_t n, const bool *corrupt, struct rng *r)
{
	double *y = calloc(n * ROUNDS, sizeof(*y)), x[SAMPLES];

	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < n; i++) {
			double drift = 1 + 0.01 * sin((double)round);

			for (int k = 0; k < SAMPLES; k++)
				x[k] = noisy(truth(q, size[i]) * drift * (corrupt[i] ? 1.25 : 1), r);
			qsort(x, SAMPLES, sizeof(*x), rising);
			y[round * n + i] = (x[SAMPLES / 2 - 1] + x[SAMPLES / 2]) / 2;
		}
	return y;
}

static size_t fitted(uint64_t seed, double share_corrupt, size_t bootstraps, double *size, struct fit *fit)
{
	size_t n = make_sizes(size);
	struct fit_input in = { .nsizes = n, .nrounds = ROUNDS, .size = size, .bootstraps = bootstraps, .seed = seed };
	bool corrupt[MOST] = { false };
	struct rng r;

	rng_seed(&r, seed);
	for (size_t i = 0; i < n; i++)
		corrupt[i] = uniform(&r) < share_corrupt;
	for (int q = 0; q < FIT_SERIES; q++)
		in.y[q] = make_series((enum fit_series)q, size, n, corrupt, &r);
	assert_int_equal(fit_estimate(&in, fit), 0);
	for (int q = 0; q < FIT_SERIES; q++)
		free((void *)(uintptr_t)in.y[q]);
	return n;
}

static bool switches_found(const struct fit *fit, const double *size)
{
	if (fit->nsegments != 3)
		return false;
	for (int k = 0; k < 2; k++)
		if (!(size[fit->seg[k].end - 1] <= protocols[k].upto && size[fit->seg[k].end] > protocols[k].upto))
			return false;
	return true;
}

static void within(double got, double want, double relative, const char *what, uint64_t seed)
{
	if (!(fabs(got / want - 1) <= relative))
		fail_msg("%s is %g, not %g (seed %d)", what, got, want, (int)seed);
}

/* Counts which of these intervals cover the true value. */
static void cover(const struct fit_value *v, double want, int *covered, int *asked)
{
	*asked += 1;
	*covered += v->lo <= want && want <= v->hi;
}

static void parameters_of_clean_times_are_found_and_covered(void **state)
{
	int covered = 0, asked = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		double size[MOST];
		struct fit fit;

		fitted(seed, 0, 100, size, &fit);
		if (!switches_found(&fit, size))
			fail_msg("%zu segments with seed %d", fit.nsegments, (int)seed);
		assert_true(fit.seg[0].censored);
		for (int k = 1; k < 3; k++) {
			const struct fit_segment *g = &fit.seg[k];
			const struct protocol *p = &protocols[k];

			assert_false(g->censored);
			assert_true(g->described);
			within(g->L.v, p->L, .02, "L", seed);
			within(g->o_s.v, p->o_s, .02, "o_s", seed);
			within(g->o_r.v, p->o_r, .025, "o_r", seed);
			within(g->G.v, p->G, .02, "G", seed);
			within(g->g.v, p->g, .02, "g", seed);
			within(g->G_latency.v, p->G_latency, .02, "G_lat", seed);
			within(g->r_inf.v, 1 / p->G, .02, "r_inf", seed);
			within(g->n_half.v, (p->g - p->G) / p->G, .03, "n_half", seed);
			within(g->r_inf_latency.v, 1 / p->G_latency, .02, "r_inf of latency", seed);
			within(g->n_half_latency.v, (p->L + p->o_s + p->o_r - p->G_latency) / p->G_latency, .03,
			       "n_half of latency", seed);
			assert_true(isnan(g->O_s.v) || fabs(g->O_s.v) < 1e-12);
			cover(&g->L, p->L, &covered, &asked);
			cover(&g->G, p->G, &covered, &asked);
			cover(&g->g, p->g, &covered, &asked);
			cover(&g->r_inf, 1 / p->G, &covered, &asked);
		}
	}
	if (covered < asked * 80 / 100)
		fail_msg("%d of %d intervals cover", covered, asked);
}

static void parameters_of_corrupted_times_are_found(void **state)
{
	int found = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		double size[MOST];
		struct fit fit;

		fitted(seed, 0.05, 0, size, &fit);
		if (!switches_found(&fit, size))
			continue;
		found++;
		within(fit.seg[2].G.v, protocols[2].G, .02, "G", seed);
		within(fit.seg[2].L.v, protocols[2].L, .03, "L", seed);
	}
	assert_true(found >= 16);	/* METHODS 2.4: 36 of 40 */
}

/* With exact values, bisection finds a switch of protocols to the byte. */
static void a_switch_is_found_to_the_byte(void **state)
{
	double size[MOST];
	struct fit fit;

	fitted(7, 0, 0, size, &fit);
	assert_true(switches_found(&fit, size));
	for (int k = 0; k < 2; k++) {
		double low = size[fit.seg[k].end - 1], high = size[fit.seg[k].end];

		while (high - low > 1) {
			double middle = floor((low + high) / 2), y[FIT_SERIES];

			for (int q = 0; q < FIT_SERIES; q++)
				y[q] = truth((enum fit_series)q, middle);
			*(fit_is_before(&fit.seg[k], middle, y) ? &low : &high) = middle;
		}
		assert_true(fabs(low - protocols[k].upto) < 0.5);
	}
	assert_ptr_equal(fit_segment_of(&fit, 1e6), &fit.seg[2]);
	within(fit_line(fit_segment_of(&fit, 1e6), FIT_LATENCY, 1e6), truth(FIT_LATENCY, 1e6), .02, "prediction", 7);
}

/*
 * If times do not grow with the length, or shrink, there is no rate. If a line starts below 0,
 * there is no size of half the rate.
 */
static void times_that_do_not_grow_have_no_rate(void **state)
{
	static const struct {
		double a, b;
		bool rate, half;
	} cases[] = { { 1e-6, 0, false, false }, { 1e-6, -1e-12, false, false }, { 1e-6, 1e-15, false, false },
		      { 1e-6, 1e-9, true, true }, { -1e-6, 1e-8, true, false } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		double size[8], y[16];
		struct fit_input in = { .nsizes = 8, .nrounds = 2, .size = size, .y = { y, y, y, y } };
		struct fit fit;

		for (int i = 0; i < 16; i++) {
			size[i % 8] = 1000.0 * (i % 8 + 1);
			y[i] = cases[c].a + cases[c].b * size[i % 8];
		}
		assert_int_equal(fit_estimate(&in, &fit), 0);
		assert_int_equal(!isnan(fit.seg[0].r_inf.v), cases[c].rate);
		assert_int_equal(!isnan(fit.seg[0].n_half_latency.v), cases[c].half);
	}
}

/*
 * Checks that 0 <= lo <= v <= hi, or that there is no interval. `what` names the seed and the
 * segment.
 */
static void assert_physical(const struct fit_value *v, const char *what, uint64_t seed)
{
	if (isnan(v->v) && isnan(v->lo) && isnan(v->hi))
		return;
	if (!(v->lo >= 0) || !(v->hi >= v->lo) || (!isnan(v->v) && !(v->v >= v->lo && v->v <= v->hi)))
		fail_msg("%s is %g [%g, %g] (seed %d)", what, v->v, v->lo, v->hi, (int)seed);
	if (!isnan(v->v) && v->hi - v->lo > v->v * 1.000001 && v->hi > 1e-18)
		fail_msg("%s is %g, wider than that: [%g, %g] (seed %d)", what, v->v, v->lo, v->hi, (int)seed);
}

static void assert_all_physical(const struct fit *fit, uint64_t seed)
{
	for (const struct fit_segment *g = fit->seg; g < fit->seg + fit->nsegments; g++) {
		double at1[FIT_SERIES];

		assert_physical(&g->L, "L", seed);
		assert_physical(&g->o_s, "o_s", seed);
		assert_physical(&g->o_r, "o_r", seed);
		assert_physical(&g->O_s, "O_s", seed);
		assert_physical(&g->O_r, "O_r", seed);
		assert_physical(&g->g, "g", seed);
		assert_physical(&g->G, "G", seed);
		assert_physical(&g->G_latency, "G_latency", seed);
		for (int q = 0; q < FIT_SERIES; q++) {
			at1[q] = fit_line(g, (enum fit_series)q, 1);
			assert_true(g->line[q].b >= 0 && at1[q] >= -1e-15);
		}
		assert_true(g->described == !isnan(g->L.hi));
		if (g->described)
			assert_true(at1[FIT_LATENCY] >= (at1[FIT_SEND] + at1[FIT_RECEIVE]) * (1 - 1e-9));
		if (g > fit->seg && !g->described && !g[-1].described)
			assert_true(g->follows[FIT_LATENCY] || g[-1].follows[FIT_LATENCY]);
	}
}

/* Times that do not follow LogGP: each series is a power of the length, with noise of its own. */
static void nothing_unphysical_is_fitted_to_any_times(void **state)
{
	int described = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		double size[MOST], *y[FIT_SERIES];
		size_t n = make_sizes(size);
		struct fit_input in = { .nsizes = n, .nrounds = ROUNDS, .size = size, .bootstraps = 50, .seed = seed };
		struct fit fit;
		struct rng r;

		rng_seed(&r, seed);
		for (int q = 0; q < FIT_SERIES; q++) {
			double start = 1e-6 * uniform(&r), slope = 1e-9 * uniform(&r), power = 0.5 + uniform(&r),
			       noise = seed % 3 * 0.1 * uniform(&r);

			in.y[q] = y[q] = calloc(n * ROUNDS, sizeof(**y));
			for (size_t k = 0; k < n * ROUNDS; k++)
				y[q][k] = (start + slope * pow(size[k % n], power)) * exp(noise * gauss(&r));
		}
		assert_int_equal(fit_estimate(&in, &fit), 0);
		assert_all_physical(&fit, seed);
		for (size_t k = 0; k < fit.nsegments; k++)
			described += fit.seg[k].described;
		for (int q = 0; q < FIT_SERIES; q++)
			free(y[q]);
	}
	assert_true(described > 0);
}

/*
 * Networks at or beyond the limits of physics. One has no latency beside the overheads. In one,
 * half a round trip is less than both overheads by more than errors explain. In one, the interval
 * is less than a send.
 */
static void networks_at_the_edge_of_the_physical_are_described_or_not(void **state)
{
	static const struct {
		/* times of one byte, s; each further byte adds 1 ns, except to a send */
		double latency, gap, send, receive;
		bool described;
	} cases[] = { { 300e-9, 200e-9, 150e-9, 150e-9, true },	 { 290e-9, 200e-9, 150e-9, 150e-9, true },
		      { 200e-9, 200e-9, 150e-9, 150e-9, false }, { 400e-9, 100e-9, 150e-9, 150e-9, false } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (uint64_t seed = 1; seed <= 10; seed++) {
			static const double size[] = { 1, 2, 4, 8, 16, 24, 32, 48, 64 };
			const double at1[] = { cases[c].latency, cases[c].gap, cases[c].send, cases[c].receive };
			struct fit_input in = { .nsizes = 9, .nrounds = ROUNDS, .size = size, .bootstraps = 100, .seed = seed };
			double y[FIT_SERIES][9 * ROUNDS];
			struct fit_segment *g;
			struct fit fit;
			struct rng r;

			rng_seed(&r, seed);
			for (int q = 0; q < FIT_SERIES; q++) {
				in.y[q] = y[q];
				for (size_t k = 0; k < 9 * ROUNDS; k++)
					y[q][k] = (at1[q] + (q <= FIT_GAP ? 1e-9 * (size[k % 9] - 1) : 0)) *
						  (1 + 0.005 * gauss(&r));
			}
			assert_int_equal(fit_estimate(&in, &fit), 0);
			assert_all_physical(&fit, seed);
			g = &fit.seg[0];
			assert_int_equal(g->described, cases[c].described);
			assert_true(isnan(g->L.v) && isnan(fit_loggp(g).L));
			assert_true(!cases[c].described || g->L.hi < 10e-9);
			assert_true(cases[c].described || (isnan(g->o_s.v) && isnan(g->g.v) && isnan(g->G.v)));
			within(1 / g->r_inf_latency.v, 1e-9, .2, "the slope of half the round trip", seed);
		}
}

/*
 * Two of three sizes deviate equally in all rounds. No lines describe them, and so many short
 * segments become one.
 */
static void scattered_times_are_one_segment_that_is_not_described(void **state)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		double size[MOST];
		size_t n = make_sizes(size);
		struct fit_input in = { .nsizes = n, .nrounds = 2, .size = size, .bootstraps = 10, .seed = seed };
		double y[2 * MOST];
		struct fit fit;
		struct rng r;

		rng_seed(&r, seed);
		for (size_t i = 0; i < n; i++)
			y[i] = y[i + n] = 1e-6 * (1 + 2 * uniform(&r) * (double)(i % 3));
		for (int q = 0; q < FIT_SERIES; q++)
			in.y[q] = y;
		assert_int_equal(fit_estimate(&in, &fit), 0);
		assert_int_equal(fit.nsegments, 1);
		assert_true(!fit.seg[0].described && fit.seg[0].first == 0 && fit.seg[0].end == n);
		assert_true(isinf(fit.seg[0].upto) && isnan(fit.seg[0].L.hi) && isnan(fit.seg[0].r_inf.v));
	}
}

static void too_few_sizes_have_no_fit(void **state)
{
	static const double size[] = { 1, 2, 3 }, y[6] = { 1, 1, 1, 1, 1, 1 };
	struct fit_input in = { .nsizes = 3, .nrounds = 2, .size = size, .y = { y, y, y, y } };
	struct fit fit;

	assert_int_equal(fit_estimate(&in, &fit), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_of_clean_times_are_found_and_covered),
		cmocka_unit_test(parameters_of_corrupted_times_are_found),
		cmocka_unit_test(a_switch_is_found_to_the_byte),
		cmocka_unit_test(times_that_do_not_grow_have_no_rate),
		cmocka_unit_test(nothing_unphysical_is_fitted_to_any_times),
		cmocka_unit_test(networks_at_the_edge_of_the_physical_are_described_or_not),
		cmocka_unit_test(scattered_times_are_one_segment_that_is_not_described),
		cmocka_unit_test(too_few_sizes_have_no_fit),
	};

	return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
