/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "backend.h"
#include "pattern.h"

static char space[8];
static void *const bufs[] = { &space[0], &space[1], &space[2], &space[3] };

static void build(const struct pattern *p, int rank, int size, bool both, struct round *r)
{
	struct pattern_args args = { .place = rank, .size = size, .len = 100, .window = 8, .batch = 3,
				     .pairs = size / 2, .bidirectional = both, .bufs = bufs };

	round_reset(r);
	assert_int_equal(p->build(&args, r), 0);
}

/* Messages of one iteration. */
static unsigned count(const struct round *r, enum op op)
{
	unsigned n = 0;

	for (uint32_t s = 0; s < r->nsteps; s++)
		for (uint32_t i = 0; i < r->steps[s].n; i++)
			if (r->xfers[r->steps[s].first + i].op == op)
				n += r->steps[s].repeat;
	return n;
}

/* The ops between two ranks, of lane `lane`, in the order in which `rank` posts them. */
static size_t ops(const struct round *r, enum op op, int peer, size_t *lens, uint32_t *lanes)
{
	size_t n = 0;

	for (uint32_t s = 0; s < r->nsteps; s++)
		for (uint32_t k = 0; k < r->steps[s].repeat; k++)
			for (uint32_t i = 0; i < r->steps[s].n; i++) {
				const struct xfer *x = &r->xfers[r->steps[s].first + i];

				if (x->op == op && x->peer == peer) {
					lens[n] = x->len;
					lanes[n++] = x->lane;
				}
			}
	return n;
}

/* Every send from a to b meets a receive of the same length and lane, in order. */
static void assert_matched(const struct pattern *p, int size, bool both)
{
	struct round from = { 0 }, to = { 0 };
	size_t sent[64], got[64];
	uint32_t sent_lane[64], got_lane[64];

	for (int a = 0; a < size; a++)
		for (int b = 0; b < size; b++) {
			size_t n, m;

			build(p, a, size, both, &from);
			build(p, b, size, both, &to);
			n = ops(&from, OP_SEND, b, sent, sent_lane);
			m = ops(&to, OP_RECV, a, got, got_lane);
			assert_int_equal(n, m);
			for (size_t i = 0; i < n; i++) {
				assert_int_equal(sent[i], got[i]);
				assert_int_equal(sent_lane[i], got_lane[i]);
			}
		}
	round_free(&from);
	round_free(&to);
}

static void sends_meet_receives(void **state)
{
	(void)state;
	for (int size = 1; size <= 9; size++) {
		assert_matched(&pattern_ring, size, false);
		assert_matched(&pattern_stream, size, false);
		assert_matched(&pattern_stream, size, true);
		if (size > 1)
			assert_matched(&pattern_pingpong, size, false);
	}
}

static void who_is_timed(void **state)
{
	static const struct {
		const struct pattern *p;
		bool both, timed[4];
	} rows[] = {
		{ &pattern_pingpong, false, { true, false, false, false } },
		{ &pattern_stream, false, { true, false, true, false } },
		{ &pattern_stream, true, { true, true, true, true } },
		{ &pattern_ring, false, { true, true, true, true } },
	};
	struct round r = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int rank = 0; rank < 4; rank++) {
			build(rows[i].p, rank, 4, rows[i].both, &r);
			assert_int_equal(r.timed, rows[i].timed[rank]);
		}
	round_free(&r);
}

static void a_ring_moves_two_messages_a_rank(void **state)
{
	struct round r = { 0 };

	(void)state;
	for (int size = 1; size < 6; size++) {
		build(&pattern_ring, size - 1, size, false, &r);
		assert_int_equal(count(&r, OP_SEND), 2);
		assert_int_equal(count(&r, OP_RECV), 2);
		assert_int_equal(r.nsteps, 1);
	}
	round_free(&r);
}

static void a_window_has_one_reply(void **state)
{
	struct round r = { 0 };

	(void)state;
	build(&pattern_stream, 0, 2, false, &r);
	assert_int_equal(count(&r, OP_SEND), 8);
	assert_int_equal(count(&r, OP_RECV), 1);
	assert_int_equal(r.steps[0].window, 8);
	assert_int_equal(r.steps[0].batch, 3);
	round_free(&r);
}

static void odd_ranks_out_idle(void **state)
{
	struct round r = { 0 };

	(void)state;
	build(&pattern_stream, 4, 5, false, &r);
	assert_int_equal(r.nsteps, 0);
	build(&pattern_pingpong, 2, 5, false, &r);
	assert_int_equal(r.nsteps, 0);
	round_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends_meet_receives),
		cmocka_unit_test(who_is_timed),
		cmocka_unit_test(a_ring_moves_two_messages_a_rank),
		cmocka_unit_test(a_window_has_one_reply),
		cmocka_unit_test(odd_ranks_out_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
