/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the inlined driver with a backend that logs its calls. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "transport/round.h"

/* Completes a transfer after it was polled `lag` times, at most `speed` at a time. */
struct fake {
	struct endpoint ep;
	char log[4096];
	size_t len;
	int in_flight, most, speed, fail_after;
	bool at_once, in_order;
	double clock;
};

static struct fake *fake_of(struct endpoint *ep)
{
	return (struct fake *)ep;
}

static void say(struct fake *f, char c)
{
	if (f->len < sizeof(f->log) - 1)
		f->log[f->len++] = c;
}

static int post(struct endpoint *ep, const struct xfer *x)
{
	struct fake *f = fake_of(ep);

	say(f, x->op == OP_SEND ? 's' : 'r');
	if (f->fail_after && !--f->fail_after)
		return -1;
	if (f->at_once)
		return 1;
	f->in_flight++;
	f->most = f->in_flight > f->most ? f->in_flight : f->most;
	return 0;
}

static void flush(struct endpoint *ep)
{
	say(fake_of(ep), '|');
}

static int poll(struct endpoint *ep)
{
	struct fake *f = fake_of(ep);
	int n = f->in_flight < f->speed ? f->in_flight : f->speed;

	say(f, '.');
	if (f->fail_after && !--f->fail_after)
		return -1;
	f->in_flight -= n;
	return n;
}

static double ticks(struct endpoint *ep)
{
	say(fake_of(ep), 't');
	return fake_of(ep)->clock += 10;
}

static int drive(struct fake *f, const struct round *r, double *seconds)
{
	f->ep.tick_s = 0.5;
	const struct driver d = { .post = post, .flush = flush, .poll = poll, .ticks = ticks, .in_order = f->in_order };

	return round_drive(&f->ep, r, d, seconds);
}

/* The log of one iteration of a step of n transfers. */
static void the_order_of_things(void **state)
{
	static const struct {
		uint32_t n, repeat, window, batch;
		int speed;
		bool at_once;
		const char *log;
		int most;
	} rows[] = {
		{ 1, 1, 1, 1, 1, false, "ts|.t", 1 },
		{ 1, 1, 1, 1, 1, true, "ts|t", 0 },
		{ 2, 1, 1, 1, 2, false, "tss|.t", 2 },
		{ 1, 4, 4, 1, 4, false, "ts|s|s|s|.t", 4 },
		{ 1, 4, 4, 4, 4, false, "tssss|.t", 4 },
		{ 1, 4, 4, 2, 4, false, "tss|ss|.t", 4 },
		{ 1, 4, 2, 1, 1, false, "ts|s|.s|.s|..t", 2 },		/* a sliding window */
		/* waits until a batch has room; with a remainder */
		{ 1, 5, 3, 2, 1, false, "tss|.ss|.s|...t", 3 },
		/* the window counts sets of transfers */
		{ 2, 3, 2, 1, 1, false, "tss|ss|..ss|....t", 4 },
		{ 1, 3, 1, 1, 1, true, "ts|s|s|t", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = { .speed = rows[i].speed, .at_once = rows[i].at_once };
		struct round r = { 0 };
		double seconds;

		round_reset(&r);
		round_step(&r, rows[i].repeat, rows[i].window, rows[i].batch);
		for (uint32_t k = 0; k < rows[i].n; k++)
			round_add(&r, OP_SEND, 1, 0, NULL, 8);
		assert_int_equal(drive(&f, &r, &seconds), ST_OK);
		assert_string_equal(f.log, rows[i].log);
		assert_int_equal(f.most, rows[i].most);
		round_free(&r);
	}
}

static void steps_follow_one_another_and_repeat(void **state)
{
	struct fake f = { .speed = 1 };
	struct round r = { 0 };
	double seconds;

	round_reset(&r);
	round_step(&r, 1, 1, 1);
	round_add(&r, OP_SEND, 1, 0, NULL, 8);
	round_step(&r, 1, 1, 1);
	round_add(&r, OP_RECV, 1, 0, NULL, 8);
	r.count = 3;
	assert_int_equal(drive(&f, &r, &seconds), ST_OK);
	assert_string_equal(f.log, "ts|.r|.s|.r|.s|.r|.t");
	assert_true(seconds == 5.0);
	round_free(&r);
}

static void a_stamp_an_iteration(void **state)
{
	struct fake f = { .at_once = true };
	struct round r = { 0 };
	double seconds, stamps[4];

	round_reset(&r);
	round_step(&r, 1, 1, 1);
	round_add(&r, OP_SEND, 1, 0, NULL, 8);
	r.count = 3;
	r.stamps = stamps;
	assert_int_equal(drive(&f, &r, &seconds), ST_OK);
	assert_string_equal(f.log, "ts|ts|ts|tt");
	for (int i = 0; i < 4; i++)
		assert_true(stamps[i] == 10.0 * (i + 1));
	round_free(&r);
}

/* Checks the buffers of the transfers that were posted. */
static const struct xfer *posted[32];
static int nposted;

static int post_noted(struct endpoint *ep, const struct xfer *x)
{
	posted[nposted++] = x;
	return post(ep, x);
}

static void each_transfer_is_posted_once(void **state)
{
	const struct driver noted = { .post = post_noted, .flush = flush, .poll = poll, .ticks = ticks };
	double stamps[4], *const stamped[] = { NULL, stamps };

	for (int i = 0; i < 2; i++) {	/* three iterations of 2 * 4 + 1 transfers */
		struct fake f = { .speed = 1 };
		struct round r = { 0 };
		double seconds;

		round_reset(&r);
		round_step(&r, 4, 3, 2);
		for (int k = 0; k < 26; k++)
			round_add(&r, OP_SEND, 1, 0, NULL, 8);
		r.steps[0].n = 2;
		round_step(&r, 1, 1, 1);
		round_add(&r, OP_RECV, 1, 0, NULL, 8);
		r.steps[1].first = 8;
		r.count = 3;
		r.each = true;
		r.stamps = stamped[i];
		nposted = 0;
		assert_int_equal(round_drive(&f.ep, &r, noted, &seconds), ST_OK);
		assert_int_equal(nposted, r.nxfers);
		for (int k = 0; k < nposted; k++)
			assert_ptr_equal(posted[k], &r.xfers[k]);
		round_free(&r);
	}
}

static void a_fault_ends_the_round(void **state)
{
	struct round r = { 0 };
	double seconds;

	round_reset(&r);
	round_step(&r, 4, 4, 2);
	round_add(&r, OP_SEND, 1, 0, NULL, 8);
	for (int after = 1; after <= 5; after++) {
		struct fake f = { .speed = 4, .fail_after = after };

		assert_int_equal(drive(&f, &r, &seconds), ST_FAILED);
	}
	round_free(&r);
}

static void an_empty_round_ends(void **state)
{
	struct fake f = { .speed = 1 };
	struct round r = { 0 };
	double seconds;

	round_reset(&r);
	r.count = 1000;
	assert_int_equal(drive(&f, &r, &seconds), ST_OK);
	assert_string_equal(f.log, "tt");
}

/* ---- windows that slide ---- */

/*
 * One side of a stream with acknowledged messages. Sends complete at once, or after a poll, or, if
 * completions come in order, after what was posted before. The other side sends one message a poll;
 * an acknowledgement follows each message.
 */
struct side {
	struct endpoint ep;
	bool in_order, sends_wait;
	uint32_t sent, received;	/* numbers of completed transfers */
	uint32_t posted_sends, posted_recvs;
	char queue[4096];		/* the posted transfers, in order */
	size_t first, last;
	uint32_t most_open;
	bool answers, early;
};

static struct side *side_of(struct endpoint *ep)
{
	return (struct side *)ep;
}

/*
 * The messages that this side has sent without an acknowledgement yet, or the receives posted
 * ahead.
 */
static uint32_t open_of(const struct side *s)
{
	return s->answers ? s->posted_recvs - s->posted_sends : s->posted_sends - s->received;
}

static int side_post(struct endpoint *ep, const struct xfer *x)
{
	struct side *s = side_of(ep);

	if (x->op == OP_SEND)
		s->posted_sends++;
	else
		s->posted_recvs++;
	s->queue[s->last++] = x->op == OP_SEND ? 's' : 'r';
	s->early |= s->answers && s->posted_sends > s->received;
	s->most_open = open_of(s) > s->most_open ? open_of(s) : s->most_open;
	if (x->op == OP_SEND && !s->sends_wait && !s->in_order) {
		s->sent++;
		return 1;
	}
	return 0;
}

/* True if the other side has sent the message that the next receive awaits. */
static bool has_come(const struct side *s)
{
	return s->received < s->posted_recvs && (s->answers || s->received < s->posted_sends);
}

static int side_poll(struct endpoint *ep)
{
	struct side *s = side_of(ep);

	if (s->in_order) {	/* like MPI_Test of the oldest transfer */
		char what = s->queue[s->first];

		if (s->first == s->last || (what == 'r' && !has_come(s)))
			return 0;
		s->first++;
		s->sent += what == 's';
		s->received += what == 'r';
		return 1;
	}
	if (s->sent < s->posted_sends) {
		s->sent++;
		return 1;
	}
	if (!has_come(s))
		return 0;
	s->received++;
	return 1;
}

static double side_ticks(struct endpoint *ep)
{
	return 0;
}

static int drive_side(struct side *s, uint32_t window, uint64_t count)
{
	const struct driver some = { .post = side_post, .poll = side_poll, .ticks = side_ticks };
	const struct driver ordered = { .post = side_post, .poll = side_poll, .ticks = side_ticks, .in_order = true };
	struct round r = { 0 };
	double seconds;
	int err;

	round_reset(&r);
	r.flow = s->answers ? FLOW_ANSWERS : FLOW_AWAITS;
	r.count = count;
	round_step(&r, window, window, 1);
	round_add(&r, OP_RECV, 1, 0, NULL, 8);
	round_add(&r, OP_SEND, 1, 0, NULL, 8);
	err = round_drive(&s->ep, &r, s->in_order ? ordered : some, &seconds);
	round_free(&r);
	return err;
}

static void a_sliding_window_is_full_and_never_more(void **state)
{
	static const struct {
		bool answers, in_order, sends_wait;
	} sides[] = {
		{ false, false, false }, { false, true, true }, { false, false, true },
		{ true, false, false }, { true, true, true }, { true, false, true },
	};

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		for (uint32_t window = 1; window <= 64; window++) {
			struct side s = { .answers = sides[i].answers, .in_order = sides[i].in_order,
					  .sends_wait = sides[i].sends_wait };

			assert_int_equal(drive_side(&s, window, 5), ST_OK);
			assert_int_equal(s.sent, 5 * window);
			assert_int_equal(s.received, 5 * window);
			assert_int_equal(s.most_open, window);
			assert_false(s.early);
		}
}

static void a_plain_window_does_not_drain_between_iterations(void **state)
{
	static const struct {
		enum flow flow;
		const char *log;
	} rows[] = {
		{ FLOW_NONE, "ts|s|..s|s|..t" },
		{ FLOW_PLAIN, "ts|s|.s|.s|..t" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = { .speed = 1 };
		struct round r = { 0 };
		double seconds;

		round_reset(&r);
		r.flow = rows[i].flow;
		r.count = 2;
		round_step(&r, 2, 2, 1);
		round_add(&r, OP_SEND, 1, 0, NULL, 8);
		assert_int_equal(drive(&f, &r, &seconds), ST_OK);
		assert_string_equal(f.log, rows[i].log);
		round_free(&r);
	}
}

/*
 * An iteration of a block: its header, a wait for its start, a time stamp, its steps with local
 * work, a time stamp. The clock advances by 10 with each reading.
 */
static void a_block_is_timed_from_its_starts_without_its_head(void **state)
{
	double in[3] = { 1, 2, 3 }, sum[3] = { 10, 20, 30 }, copy[3] = { 0 }, starts[] = { 45, 95 }, stamps[4];
	struct fake f = { .speed = 1, .at_once = true };
	struct round r = { .block = { .on = true, .head = 1, .starts = starts }, .count = 2, .stamps = stamps };
	double seconds;

	round_step(&r, 1, 1, 1);
	round_add(&r, OP_SEND, 1, 0, NULL, 0);
	round_step(&r, 1, 1, 1);
	round_add(&r, OP_RECV, 1, 0, NULL, 8);
	round_step(&r, 1, 1, 1);
	round_add_local(&r, (struct local){ true, sum, in, sizeof(in) });
	round_add_local(&r, (struct local){ false, copy, sum, sizeof(in) });
	round_step(&r, 1, 1, 1);
	round_add(&r, OP_SEND, 1, 0, NULL, 8);
	assert_int_equal(drive(&f, &r, &seconds), ST_OK);
	assert_string_equal(f.log, "t" "s|" "tttt" "t" "r|s|" "t" "s|" "ttt" "t" "r|s|" "t" "t");
	assert_true(stamps[0] == 60 && stamps[1] == 70 && stamps[2] == 110 && stamps[3] == 120);
	assert_true(sum[0] == 12 && sum[1] == 24 && sum[2] == 36);
	assert_memory_equal(copy, sum, sizeof(sum));
	round_free(&r);
}

static void operations_of_a_block_use_its_variants_in_turn(void **state)
{
	double in[3] = { 1, 50, NAN }, largest[3] = { 10, 20, 30 }, seconds;
	struct fake f = { .speed = 1, .at_once = true };
	struct round r = { .block = { .on = true, .head = 1, .per = 2, .max = true }, .count = 3 };

	round_step(&r, 1, 1, 1);
	round_add(&r, OP_SEND, 1, 0, NULL, 0);
	for (int variant = 0; variant < 2; variant++) {
		round_step(&r, 1, 1, 1);
		round_add(&r, variant ? OP_RECV : OP_SEND, 1, 0, NULL, 8);
		round_step(&r, 1, 1, 1);
		round_add_local(&r, (struct local){ true, largest, in, sizeof(in) });
	}
	assert_int_equal(drive(&f, &r, &seconds), ST_OK);
	assert_string_equal(f.log, "t" "s|s|" "s|r|" "s|s|" "t");
	assert_true(largest[0] == 10 && largest[1] == 50 && largest[2] == 30);
	round_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_things),
		cmocka_unit_test(steps_follow_one_another_and_repeat),
		cmocka_unit_test(a_stamp_an_iteration),
		cmocka_unit_test(each_transfer_is_posted_once),
		cmocka_unit_test(a_fault_ends_the_round),
		cmocka_unit_test(an_empty_round_ends),
		cmocka_unit_test(a_sliding_window_is_full_and_never_more),
		cmocka_unit_test(a_block_is_timed_from_its_starts_without_its_head),
		cmocka_unit_test(operations_of_a_block_use_its_variants_in_turn),
		cmocka_unit_test(a_plain_window_does_not_drain_between_iterations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
