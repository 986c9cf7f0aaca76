/* SPDX-License-Identifier: Apache-2.0 */
/* Compares LogP and the RDMA rate with the reference values of METHODS 1.2, 1.4 and 1.6. */
#include "model/fft.h"
#include "model/logp.h"
#include "model/rdma.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"

static void near(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want) + 1e-300))
		fail_msg("got %.17g, want %.17g", got, want);
}

/*
 * METHODS 1.2: k* of the k-ary and of the k-nomial cost; T with the best k for P = 64, 256, 1024,
 * 4096; the optimal tree; the binomial tree.
 */
static void the_best_k_and_its_times_are_the_published_ones(void **state)
{
	static const struct {
		double L, o, g, kary, knomial, best[4], optimal[4], binomial[4];
	} rows[] = {
		{ 5, 1, 0, 6.677, 6.138, { 26, 34, 42, 51 }, { 22, 28, 34, 41 }, { 42, 56, 70, 84 } },
		{ 20, 1, 0, 13.255, 12.865, { 56, 72, 90, 108 }, { 51, 64, 78, 90 }, { 132, 176, 220, 264 } },
		{ 6, 2, 4, 3.967, 3.181, { 52, 72, 88, 104 }, { 46, 58, 72, 84 }, { 60, 80, 100, 120 } },
		{ 2, 1, 0, 4.971, 4.319, { 18, 24, 30, 36 }, { 15, 20, 24, 28 }, { 24, 32, 40, 48 } },
		{ 0, 1, 0, 3.591, 2.718, { 11, 16, 19, 22 }, { 10, 13, 16, 18 }, { 12, 16, 20, 24 } },
		{ 5, 1, 3, 3.845, 3.034, { 37, 52, 63, 74 }, { 33, 42, 51, 61 }, { 42, 56, 70, 84 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int j = 0; j < 4; j++) {
			struct logp p = { rows[i].L, rows[i].o, rows[i].o, rows[i].g, 64U << 2 * j };
			double time;

			near(logp_best_kary(&p), rows[i].kary, 1e-3);
			near(logp_best_knomial(&p), rows[i].knomial, 1e-3);
			assert_true(logp_best_integer(&p, TREE_KNOMIAL, &time) >= 2);
			near(time, rows[i].best[j], 0);
			near(logp_broadcast(&p, TREE_OPTIMAL, 0), rows[i].optimal[j], 0);
			near(logp_broadcast(&p, TREE_BINOMIAL, 0), rows[i].binomial[j], 0);
		}
}

/* If sending takes longer than the transfer, more levels always help, so there is no best k. */
static void without_a_best_k_it_is_no_number(void **state)
{
	const struct logp p = { 2, 1, 1, 8, 64 };

	assert_true(isnan(logp_best_knomial(&p)));
	assert_true(logp_best_kary(&p) > 1);
}

/* Tests texts of parameters. End-to-end tests cover faulty texts. */
static void parameters_are_read_from_a_text(void **state)
{
	static const struct {
		const char *text;
		int status, seconds;
		struct logp p;
	} rows[] = {
		{ "L=6,o=2,g=4,P=8", 0, 0, { 6, 2, 2, 4, 8 } },
		{ "g=4us,o_s=1us,o_r=3us,L=0", 0, 1, { 0, 1e-6, 3e-6, 4e-6, 0 } },
		{ "L=6us,o=0,g=4ns,P=2", 0, 1, { 6e-6, 0, 0, 4e-9, 2 } },
		{ "L=6,o=2,o_r=5,g=0,P=16777216", 0, 0, { 6, 2, 5, 0, 1 << 24 } },
		{ "L=6us,o=2,g=4,P=8", 2, 0, { 0, 0, 0, 0, 0 } }, { "L=6,o=2us,g=4", 2, 0, { 0, 0, 0, 0, 0 } },
		{ "L=6,o_s=2,g=4", 2, 0, { 0, 0, 0, 0, 0 } },	  { "L=6,o=0,g=0", 2, 0, { 0, 0, 0, 0, 0 } },
		{ "o=2,g=4", 2, 0, { 0, 0, 0, 0, 0 } },		  { "L=6,o=2,g=-4", 2, 0, { 0, 0, 0, 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct numbers processors;
		struct logp p;
		bool seconds;

		assert_int_equal(logp_parse(rows[i].text, &p, &processors, &seconds), rows[i].status);
		assert_int_equal(processors.n, !rows[i].status && rows[i].p.P ? 1 : 0);
		free(processors.v);
		if (rows[i].status)
			continue;
		assert_int_equal(seconds, rows[i].seconds);
		near(p.L, rows[i].p.L, 1e-15);
		near(p.o_s, rows[i].p.o_s, 1e-15);
		near(p.o_r, rows[i].p.o_r, 1e-15);
		near(p.g, rows[i].p.g, 1e-15);
		assert_int_equal(p.P, rows[i].p.P);
	}
}

/* P may be a list, also between other fields. p->P is set only by a single number. */
static void lists_of_processors_are_read(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		uint64_t last;
	} rows[] = {
		{ "L=6,o=2,g=4,P=2,4,8,16", 4, 16 }, { "P=2,4:64:*2,L=6,o=2,g=4", 6, 64 },
		{ "L=6,P=8,9,o=2,g=4", 2, 9 },	     { "L=6,o=2,g=4,P=2:5", 4, 5 },
		{ "L=6,o=2,g=4,P=2,1", 0, 0 },	     { "L=6,o=2,g=4,P=2,x", 0, 0 },
		{ "L=6,o=2,g=4,P=2,", 0, 0 },	     { "L=6,7,o=2,g=4,P=2", 0, 0 },
		{ "L=6,o=2,g=4,P=2,4,P=8", 0, 0 },   { "L=6,o=2,g=4us,P=2,4", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct numbers processors;
		struct logp p;
		bool seconds;
		int err = logp_parse(rows[i].text, &p, &processors, &seconds);

		assert_int_equal(err, rows[i].n ? 0 : 2);
		assert_int_equal(processors.n, rows[i].n);
		assert_true(err || (processors.v[rows[i].n - 1] == rows[i].last && !p.P));
		free(processors.v);
	}
}

/* P(t) at t = 0, 2, ..., 40. */
static void processors_reached_are_the_published_ones(void **state)
{
	static const double want[] = { 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 9, 12, 14, 18, 22, 27, 34, 41 };
	const struct logp p = { 6, 2, 2, 4, 1 };

	for (int i = 0; i < 21; i++)
		near(logp_reach(&p, 2 * i), want[i], 0);
	assert_int_equal(logp_capacity(&p), 2);
}

/* METHODS 14 always holds. The lecture's form holds where o >= g; there both agree. */
static void bounds_hold_what_is_reached(void **state)
{
	const struct logp g_large = { 2, 1, 1, 8, 1 };
	struct rng r;

	rng_seed(&r, 5);
	for (int i = 0; i < 4000; i++) {
		double o = (double)(1 + rng_next(&r) % 40) / 4, t = (double)(rng_next(&r) % 200) / 4;
		struct logp p = { (double)(rng_next(&r) % 50), o, o, (double)(1 + rng_next(&r) % 240) / 4, 1 };
		struct logp_range ours = logp_reach_bounds(&p, t), lecture = logp_reach_lecture(&p, t);

		assert_true(ours.least <= logp_reach(&p, t) && logp_reach(&p, t) <= ours.most);
		assert_true(logp_reach(&p, t) <= lecture.most);
		if (p.g > o)
			continue;
		near(lecture.least, ours.least, 0);
		near(lecture.most, ours.most, 0);
	}
	near(logp_reach(&g_large, 8), 3, 0);
	/* there is no bound if g > L + 2o */
	near(logp_reach_lecture(&g_large, 8).least, 4, 0);
	near(logp_reach_bounds(&g_large, 8).least, 2, 0);
}

/*
 * The lecture's bounds, computed by hand. METHODS 1.2 lists the bounds that the exact time exceeds.
 */
static void bounds_of_the_lecture_are_those_worked_by_hand(void **state)
{
	static const struct {
		struct logp p;
		enum tree_kind kind;
		uint32_t k;
		double want, exact;
	} rows[] = {
		{ { 6, 2, 2, 4, 8 }, TREE_LINEAR, 0, 34, 34 },
		{ { 6, 2, 2, 4, 8 }, TREE_BINARY, 0, 42, 30 },
		{ { 6, 2, 2, 4, 8 }, TREE_KARY, 4, 33, 28 },
		{ { 6, 2, 2, 4, 8 }, TREE_BINOMIAL, 0, 30, 30 },
		{ { 6, 2, 2, 4, 8 }, TREE_KNOMIAL, 4, 33, 28 },
		{ { 20, 1, 1, 0.5, 33 }, TREE_KARY, 4, 63.05492, 71 },
		{ { 2, 10, 10, 0.5, 18 }, TREE_BINOMIAL, 0, 91.73835, 98 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		near(logp_bounds(&rows[i].p, rows[i].kind, rows[i].k).lecture, rows[i].want, 1e-6);
		near(logp_broadcast(&rows[i].p, rows[i].kind, rows[i].k), rows[i].exact, 0);
	}
	assert_true(isnan(logp_bounds(&rows[0].p, TREE_OPTIMAL, 0).lecture));
}

/* No bound is below the exact time. The bounds of METHODS 9 and 10 equal it at powers. */
static void no_bound_is_below_the_exact_time(void **state)
{
	static const enum tree_kind kinds[] = { TREE_LINEAR, TREE_BINARY, TREE_KARY, TREE_BINOMIAL, TREE_KNOMIAL };
	struct rng r;

	rng_seed(&r, 3);
	for (int i = 0; i < 4000; i++) {
		double o = (double)(1 + rng_next(&r) % 40) / 4;
		struct logp p = { (double)(rng_next(&r) % 50), o, o, (double)(1 + rng_next(&r) % 240) / 4,
				  (uint32_t)(2 + rng_next(&r) % 511) };
		uint32_t k = (uint32_t)(2 + rng_next(&r) % 7);

		for (size_t j = 0; j < sizeof(kinds) / sizeof(kinds[0]); j++)
			assert_true(logp_broadcast(&p, kinds[j], k) <= logp_bounds(&p, kinds[j], k).closed * (1 + 1e-12));
		p.P = k * k * k;
		near(logp_bounds(&p, TREE_KNOMIAL, k).closed, logp_broadcast(&p, TREE_KNOMIAL, k), 1e-12);
		assert_true(logp_broadcast(&p, TREE_OPTIMAL, 0) <= logp_broadcast(&p, TREE_KNOMIAL, k) * (1 + 1e-12));
	}
}

static void times_of_an_fft_are_the_published_ones(void **state)
{
	const struct logp p = { 20, 1, 1, 8, 16 }, cm5 = { 6, 2, 2, 4, 16 }, few = { 6, 2, 2, 4, 64 },
			  slow = { 1, 1, 1, 8, 16 };	/* g > L + 2o: a column delays the next */

	near(logp_fft(&p, 4096).block, 8248, 0);
	near(logp_fft(&p, 4096).hybrid, 1934, 0);
	assert_false(logp_fft(&p, 4096).lower_bound);
	near(logp_fft(&cm5, 4096).block, 4120, 0);
	assert_false(logp_fft(&cm5, 4096).lower_bound);
	assert_true(logp_fft(&slow, 4096).lower_bound);
	assert_true(isnan(logp_fft(&few, 1024).hybrid));
	near(logp_fft(&few, 1024).remaps, 2, 0);
	near(logp_fft(&p, 4096).block_lecture, (8 * 256 + 20) * 4, 0);
	near(logp_fft(&p, 4096).hybrid_lecture, 8 * (256 - 16) + 20, 0);
	assert_true(isnan(logp_fft(&few, 1024).hybrid_lecture));
	assert_int_equal(fft_butterflies(4096, 16), 256 * 12);
}

/* Counts the rows whose owner needs a point of another processor in a step of the FFT. */
static uint64_t count_remote(const struct fft_step *s, uint64_t n, uint64_t P)
{
	uint64_t count = 0;

	for (uint64_t row = 0; row < n; row++)
		count += fft_source(s, n, P, row) != fft_owner(s, 1, n, P, row);
	return count;
}

/*
 * As in the lecture: layout block has its first log P columns remote, cyclic its last log P. Hybrid
 * has none, but a remap that moves n/P - n/P^2 points of each processor.
 */
static void columns_of_an_fft_are_remote_as_the_lecture_says(void **state)
{
	struct fft_step s[FFT_STEPS_MOST];

	for (uint64_t n = 2, logn = 1; n <= 1024; n *= 2, logn++)
		for (uint64_t P = 2, logP = 1; P <= n; P *= 2, logP++) {
			uint64_t moved = 0, remaps = 0;

			assert_int_equal(fft_steps(FFT_BLOCK, n, P, s), logn);
			for (uint64_t c = 0; c < logn; c++) {
				assert_int_equal(s[c].distance, n >> (c + 1));
				assert_int_equal(count_remote(&s[c], n, P), c < logP ? n : 0);
				assert_true(fft_is_remote(&s[c], n, P) == (c < logP));
			}
			assert_int_equal(fft_steps(FFT_CYCLIC, n, P, s), logn);
			for (uint64_t c = 0; c < logn; c++)
				assert_int_equal(count_remote(&s[c], n, P), c < logn - logP ? 0 : n);
			assert_int_equal(fft_steps(FFT_HYBRID, n, P, s), n / P < P ? 0 : logn + 1);
			for (uint64_t c = 0; c <= logn && n / P >= P; c++) {
				moved += count_remote(&s[c], n, P);
				remaps += !s[c].distance && fft_is_remote(&s[c], n, P);
			}
			assert_int_equal(moved, n / P < P ? 0 : n - n / P);
			assert_int_equal(remaps, n / P < P ? 0 : 1);
		}
}

static void rates_of_rdma_and_what_binds_are_the_published_ones(void **state)
{
	static const struct {
		uint64_t W, B;
		double size, rate, gbps;
		enum rdma_bound bound;
	} rows[] = {
		{ 1, 1, 16, 0.31e6, 0.04, RDMA_WINDOW },      { 1, 1, 256, 0, 0.64, RDMA_WINDOW },
		{ 1, 1, 1024, 0, 2.51, RDMA_WINDOW },	      { 1, 1, 65536, 0, 61.1, RDMA_WINDOW },
		{ 64, 1, 16, 10.0e6, 1.28, RDMA_CPU },	      { 64, 1, 1024, 0, 81.9, RDMA_CPU },
		{ 64, 1, 4096, 0, 97.0, RDMA_WIRE },	      { 256, 8, 16, 14.3e6, 1.83, RDMA_SEND_NIC },
		{ 256, 8, 256, 0, 29.3, RDMA_SEND_NIC },      { 256, 8, 4096, 0, 97.0, RDMA_WIRE },
		{ 32, 8, 16, 8.4e6, 0, RDMA_WINDOW },	      { 32, 32, 16, 5.4e6, 0, RDMA_WINDOW },
		{ 64, 32, 16, 10.7e6, 0, RDMA_WINDOW },
	};
	struct rdma p = { 0 };

	assert_int_equal(rdma_parse(rdma_example, &p), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rdma_rate r = rdma_rate(&p, rows[i].size, rows[i].W, rows[i].B);

		if (rows[i].rate > 0)
			near(r.rate, rows[i].rate, 0.02);
		if (rows[i].gbps > 0)
			near(8e-9 * r.rate * rows[i].size, rows[i].gbps, 0.03);
		assert_int_equal(r.bound, rows[i].bound);
	}
	near(rdma_rate(&p, 16, 64, 1).knee, 32, 0.02);	/* "linear up to 32 unacknowledged messages" */
	near(rdma_latency(&p, 1), 1115e-9, 1e-12);
	near(rdma_latency(&p, 1001), 1197.5e-9, 1e-12);
	near(rdma_latency(&p, 0), 1115e-9, 1e-12);
}

/* The symbols of the thesis, converted in both directions; -1: refused. */
static void rates_of_rdma_are_those_of_the_thesis(void **state)
{
	static const struct {
		const char *text;
		bool read;
		double o_wqe, L, L_ack, g, g_rcv;	/* ns */
	} rows[] = {
		{ "o_snd=100,g=3080,o_nsnd=70,o_nrcv=60,L=900", false, 100, 900, 2050, 3080, 0 },
		{ "o_snd=100,g_snd=3.08us", false, 100, 0, 3080, 3080, 0 },
		{ "o_wqe=20,o_db=65,o_cqe=15,L=5,L_ack=7,o_free=3", false, 20, 5, 7, 12, 3 },
		{ "o_snd=1,o_free=3,g_rcv=4", false, 1, 0, 0, 0, 4 },
		{ "o_snd=100,g=2060,o_nsnd=70,o_nrcv=60", true, 100, 900, 0, 2060, 0 },
		{ "o_snd=1,o_db=1", false, -1, 0, 0, 0, 0 },
		{ "o_snd=1,g=5,L=6", false, -1, 0, 0, 0, 0 },
		{ "o_snd=1,g=5,L_ack=5", false, -1, 0, 0, 0, 0 },
		{ "o_snd=1,g=5,L=1", true, -1, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rdma p = { .read = rows[i].read };
		int err = rdma_parse(rows[i].text, &p);
		struct rdma_symbols s = rdma_symbols(&p);

		assert_int_equal(err, rows[i].o_wqe < 0 ? ST_USAGE : ST_OK);
		if (err)
			continue;
		near(p.o_wqe, rows[i].o_wqe * 1e-9, 1e-12);
		near(p.L, rows[i].L * 1e-9, 1e-12);
		near(p.L_ack, rows[i].L_ack * 1e-9, 1e-12);
		near(s.o_snd, (p.o_wqe + p.o_db + p.o_cqe), 1e-12);
		near(s.g, rows[i].g * 1e-9, 1e-9);
		near(s.g_rcv, rows[i].g_rcv * 1e-9, 1e-12);
	}
}

/* A value computed from an undetermined part is undetermined, unless it was measured. */
static void symbols_of_what_is_not_determined_are_unknown(void **state)
{
	static const struct {
		struct rdma p;
		double o_snd, g, L, L_ack;	/* results of rdma_effective */
	} rows[] = {
		{ { .o_wqe = 1, .o_db = NAN, .o_nsnd = 47, .o_nrcv = NAN, .L = NAN, .L_ack = NAN },
		  NAN, NAN, 0, 0 },
		{ { .o_wqe = 1, .o_nsnd = 7, .L = 5, .L_ack = 5 }, 1, 17, 5, 5 },
		{ { .o_nsnd = 7, .o_nrcv = NAN, .L = NAN, .L_ack = NAN, .g = 47 }, 0, 47, 20, 20 },
		{ { .o_nsnd = 7, .o_nrcv = NAN, .L = 15, .L_ack = NAN, .g = 47 }, 0, 47, 15, 25 },
		{ { .o_nsnd = 50, .o_nrcv = NAN, .L = NAN, .L_ack = NAN, .g = 47 }, 0, 47, 0, 0 },
		{ { .o_nsnd = 7, .L = NAN, .L_ack = NAN, .g = 54, .read = true }, 0, 54, 20, 27 },
		{ { .o_nsnd = 7, .L = 3, .L_ack = NAN, .g = NAN, .read = true }, 0, 20, 3, 10 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rdma_symbols s = rdma_symbols(&rows[i].p);
		struct rdma counted = rdma_effective(&rows[i].p);

		assert_int_equal(isnan(s.o_snd), isnan(rows[i].o_snd));
		assert_int_equal(isnan(s.g), isnan(rows[i].g));
		if (!isnan(rows[i].g))
			near(s.g, rows[i].g, 1e-12);
		near(counted.L, rows[i].L, 1e-12);
		near(counted.L_ack, rows[i].L_ack, 1e-12);
	}
}

/* Undetermined parameters count as 0, and are named. */
static void rdma_that_is_not_determined_has_no_rate(void **state)
{
	struct rdma p = { .o_wqe = 1e-7, .o_nsnd = NAN, .o_nrcv = NAN, .L = 1e-6, .L_ack = NAN };

	near(rdma_latency(&p, 1), 1.1e-6, 1e-12);
	near(rdma_rate(&p, 1, 64, 1).rate, 1e7, 1e-12);
	assert_string_equal(rdma_missing(&p, 0), "o_nsnd");
	assert_string_equal(rdma_missing(&p, 2), "L_ack");
	assert_null(rdma_missing(&p, 3));
	p.read = true;
	near(rdma_latency(&p, 1), 2.1e-6, 1e-12);
	assert_null(rdma_missing(&p, 2));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_k_and_its_times_are_the_published_ones),
		cmocka_unit_test(without_a_best_k_it_is_no_number),
		cmocka_unit_test(parameters_are_read_from_a_text),
		cmocka_unit_test(lists_of_processors_are_read),
		cmocka_unit_test(processors_reached_are_the_published_ones),
		cmocka_unit_test(no_bound_is_below_the_exact_time),
		cmocka_unit_test(bounds_hold_what_is_reached),
		cmocka_unit_test(bounds_of_the_lecture_are_those_worked_by_hand),
		cmocka_unit_test(times_of_an_fft_are_the_published_ones),
		cmocka_unit_test(columns_of_an_fft_are_remote_as_the_lecture_says),
		cmocka_unit_test(rates_of_rdma_and_what_binds_are_the_published_ones),
		cmocka_unit_test(rates_of_rdma_are_those_of_the_thesis),
		cmocka_unit_test(symbols_of_what_is_not_determined_are_unknown),
		cmocka_unit_test(rdma_that_is_not_determined_has_no_rate),
	};

	return cmocka_run_group_tests_name("logp", tests, NULL, NULL);
}
