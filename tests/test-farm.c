/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests farms: the roles of ranks, and that every packet is checked completely. One rank plays its
 * part against made-up peers. The message that it waits for is right, or wrong in one respect.
 */
#include "job/job.h"
#include "cmd/atlas/farm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "measure/verify/content.h"
#include "measure/session.h"
#include "base/error.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LONGEST 5000
#define MOST_BUFS 4096

/* ---- plans ---- */

static const struct farm_plan plans[] = {
	{ .kind = FARM_PUSH, .sources = 1, .destinations = 1, .credits = 1 },
	{ .kind = FARM_PUSH, .sources = 8, .destinations = 3, .credits = 16 },
	{ .kind = FARM_PULL, .sources = 4, .destinations = 1, .credits = 3 },
	{ .kind = FARM_PULL, .sources = 2, .destinations = 5, .credits = 16 },
	{ .kind = FARM_PIPELINE, .sources = 4, .stages = 2, .destinations = 1 },
	{ .kind = FARM_PIPELINE, .sources = 9, .stages = 3, .destinations = 1 },
	{ .kind = FARM_PIPELINE, .sources = 7, .stages = 3, .destinations = 2 },
	{ .kind = FARM_PIPELINE, .sources = 2, .stages = 2, .destinations = 2 },
};

static void everyone_has_a_role(void **state)
{
	for (size_t i = 0; i < COUNT(plans); i++) {
		const struct farm_plan *p = &plans[i];
		bool pipeline = p->kind == FARM_PIPELINE;
		int of[FARM_ROLES + 1] = { 0 }, timed = 0, n = farm_ranks(p);

		assert_int_equal(n, p->sources + p->stages + p->destinations + !pipeline);
		for (int r = 0; r < n; r++) {
			of[farm_role(p, r)]++;
			timed += farm_program.is_timed(p, r);
		}
		assert_int_equal(of[FARM_SUPERVISOR], !pipeline);
		assert_int_equal(of[FARM_SOURCE], p->sources);
		assert_int_equal(of[FARM_STAGE], p->stages);
		assert_int_equal(of[FARM_DESTINATION], p->destinations);
		assert_int_equal(of[FARM_ROLES], 0);
		assert_int_equal(timed, pipeline ? p->destinations : 1);
		assert_int_equal(farm_role(p, 0), pipeline ? FARM_DESTINATION : FARM_SUPERVISOR);
		assert_int_equal(farm_role(p, n), FARM_ROLES);
		assert_false(farm_program.is_timed(p, n));
		assert_int_equal(farm_events(p, 100), pipeline ? 100 * p->destinations : 100);
	}
}

/* There are as many events as posted receives, and the time of events does not depend on them. */
static void credits_are_as_many_as_receives(void **state)
{
	static const struct {
		uint64_t destinations;
		uint32_t credits;
	} rows[] = { { 1, 16 }, { 4, 16 }, { 5, 20 }, { 64, 256 }, { 1 << 20, 1 << 22 } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct farm_plan p = { .kind = FARM_PUSH, .sources = 4, .destinations = (int)rows[i].destinations };
		int before = farm_program.most_buffers(&p);

		assert_int_equal(farm_credits(rows[i].destinations), rows[i].credits);
		p.credits = rows[i].credits;
		assert_int_equal(farm_program.most_buffers(&p), before);
	}
}

static void every_rank_of_a_farm_has_buffers(void **state)
{
	for (size_t i = 0; i < COUNT(plans); i++) {
		int most = 0, n = farm_ranks(&plans[i]);

		for (int r = 0; r < n; r++) {
			assert_true(farm_program.buffers(&plans[i], r) > 0);
			most = farm_program.buffers(&plans[i], r) > most ? farm_program.buffers(&plans[i], r) : most;
		}
		assert_int_equal(farm_program.most_buffers(&plans[i]), most);
		assert_int_equal(farm_program.buffers(&plans[i], n), 0);
	}
}

/* ---- one rank among others that are made up ---- */

/* The fault of the last data packet or decision that the tested rank waits for. */
enum wrong { NOTHING, A_BYTE, THE_EVENT, THE_LENGTH, THE_DESTINATION, THE_SENDER };

struct others {
	struct endpoint ep;
	struct job job;
	const struct farm_plan *plan;
	size_t len;
	uint64_t taken[16];		/* messages taken from each rank */
	uint64_t total;	/* number of data packets or decisions; with `orders`, of orders */
	bool orders;
	uint64_t came;
	enum wrong wrong;
	size_t byte;			/* index of the wrong byte */
	int sent, to;			/* number of messages sent, and receiver of the last one */
	uint64_t event;			/* event number in its header */
	double clock, computed;
};

static struct others *others_of(struct endpoint *ep)
{
	return (struct others *)ep;
}

static int isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct others *o = others_of(ep);

	o->sent++;
	o->to = peer;
	memcpy(&o->event, buf, len < sizeof(o->event) ? len : sizeof(o->event));
	r->done = true;
	return ST_OK;
}

static int irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	r->done = false;
	r->peer = peer;
	r->buf = buf;
	r->room = len;
	return ST_OK;
}

/* Makes a packet of a source (or stage) for its next event. */
static void make_packet(struct others *o, struct request *r, uint64_t event)
{
	struct content_key key = { .seed = o->plan->seed, .src = (uint32_t)r->peer };

	content_fill(r->buf, o->len, &key);
	memcpy(r->buf, &event, o->len < sizeof(event) ? o->len : sizeof(event));
}

/* Makes the messages that a supervisor sends and receives. */
static void make_control(struct request *r, uint64_t event, uint32_t destination)
{
	memcpy(r->buf, &event, sizeof(event));
	memset((char *)r->buf + 8, 0, 8);
	memcpy((char *)r->buf + 8, &destination, sizeof(destination));
}

static void spoil(struct others *o, struct request *r, bool is_data)
{
	unsigned char *p = r->buf;

	if (o->wrong == A_BYTE)
		p[o->byte] ^= 0x10;
	if (o->wrong == THE_EVENT)
		p[0] ^= 1;
	if (o->wrong == THE_DESTINATION)
		p[8] ^= 1;
	if (o->wrong == THE_LENGTH)
		r->len -= 1;
	if (o->wrong == THE_SENDER && !is_data)
		r->peer -= 1;
}

/*
 * Data packets come from a named rank. Control packets are decisions at the supervisor (rank 0),
 * and orders elsewhere. There is one destination.
 */
static int wait_for(struct endpoint *ep, struct request *r)
{
	struct others *o = others_of(ep);
	bool supervises = o->job.rank == 0 && o->plan->kind != FARM_PIPELINE;
	bool is_data = !supervises && r->room == o->len && farm_role(o->plan, o->job.rank) != FARM_SOURCE && r->peer > 0;
	uint64_t event;

	if (r->done)
		return ST_OK;
	r->done = true;
	r->len = r->room;
	if (r->peer == PEER_ANY)	/* from a destination */
		r->peer = farm_ranks(o->plan) - 1;
	o->came++;
	event = o->taken[r->peer]++;
	if (is_data)
		make_packet(o, r, event);
	else
		make_control(r, event, 0);
	if (o->orders == (!is_data && !supervises) && !--o->total)
		spoil(o, r, is_data);
	return ST_OK;
}

static double now(struct endpoint *ep)
{
	return others_of(ep)->clock += 1;
}

static void compute(struct endpoint *ep, double seconds)
{
	others_of(ep)->computed += seconds;
	others_of(ep)->clock += seconds / ep->tick_s;
}

static const struct backend made_up = { .name = "made up", .isend = isend, .irecv = irecv, .test = wait_for,
					.wait = wait_for, .now = now, .compute = compute };

static unsigned char space[MOST_BUFS][LONGEST];

static const void *gather_one(struct job *j, const void *mine, size_t len)
{
	return mine;
}

/*
 * Returns the tally of a role as if its rank were the only one in the job. The tally counts only
 * its own role.
 */
static struct farm_tally tally_alone(void *part, enum farm_role role)
{
	static const struct job_kind kind = { .gather = gather_one };
	struct job alone = { .size = 1, .kind = &kind };
	struct session s = { .job = &alone };
	struct farm_tally *all = farm_program.tally(&s, part), mine = all[role];

	for (int i = 0; i < FARM_ROLES; i++)
		assert_true(i == (int)role || all[i].total_s <= 0);
	free(all);
	return mine;
}

/*
 * Plays the role of one rank, which receives `packets` data packets, decisions or orders. Returns
 * the number of messages found wrong.
 */
static uint64_t play(struct others *o, const struct farm_plan *plan, int rank, size_t len, uint64_t events, uint64_t packets,
		     bool observed)
{
	static void *bufs[MOST_BUFS];
	double stamps[16], seconds;
	uint64_t wrong, checked;
	void *f;

	for (size_t i = 0; i < MOST_BUFS; i++)
		bufs[i] = space[i];
	o->ep = (struct endpoint){ .be = &made_up, .job = &o->job, .tick_s = 1e-9, .limits.content_len = SIZE_MAX };
	o->job = (struct job){ .rank = rank, .size = farm_ranks(plan) };
	o->plan = plan;
	o->len = len;
	o->total = packets;
	f = farm_program.open(&o->ep, plan, len, bufs);
	assert_non_null(f);
	assert_int_equal(farm_program.arm(f, events), ST_OK);
	assert_int_equal(farm_program.run(f, observed ? stamps : NULL, &seconds), ST_OK);
	assert_int_equal(o->total, 0);
	checked = farm_program.verdict(f, &wrong);
	assert_int_equal(checked, o->came);
	assert_int_equal(farm_program.verdict(f, &o->total), 0);
	if (observed) {
		enum farm_role role = farm_role(plan, rank);
		struct farm_tally t = tally_alone(f, role);
		double sum = t.computed_s + t.communicated_s + t.waited_s;

		assert_true(sum > 0 && sum <= t.total_s && t.occupied_s <= t.computed_s);
		assert_true(role == FARM_SUPERVISOR || o->orders || t.packets == packets);
		for (uint64_t i = 0; rank == 0 && i < events; i++)
			assert_true(stamps[i] < stamps[i + 1]);
		assert_true(tally_alone(f, role).total_s <= 0);
	}
	farm_program.close(f);
	return wrong;
}

/* The receivers of data packets or decisions, their number an event, and their senders. */
static const struct taker {
	struct farm_plan plan;
	int rank;
	uint64_t each;
} parts[] = {
	{ { .kind = FARM_PUSH, .sources = 3, .destinations = 1, .credits = 4, .seed = 7 }, 4, 3 },
	{ { .kind = FARM_PULL, .sources = 3, .destinations = 1, .credits = 4, .seed = 7 }, 4, 3 },
	{ { .kind = FARM_PIPELINE, .sources = 4, .stages = 2, .destinations = 1, .seed = 7 }, 1, 2 },
	{ { .kind = FARM_PIPELINE, .sources = 4, .stages = 2, .destinations = 1, .seed = 7 }, 0, 2 },
};
static const struct farm_plan supervised = { .kind = FARM_PUSH, .sources = 2, .destinations = 1, .credits = 3 };

static void right_packets_are_right_at_any_length(void **state)
{
	static const size_t lens[] = { 0, 1, 7, 8, 9, 15, 17, 64, 1000, LONGEST };

	for (size_t i = 0; i < COUNT(parts); i++)
		for (size_t l = 0; l < COUNT(lens); l++)
			for (int observed = 0; observed < 2; observed++) {
				struct others o = { .wrong = NOTHING };

				assert_int_equal(play(&o, &parts[i].plan, parts[i].rank, lens[l], 5, 5 * parts[i].each,
						      observed), 0);
			}
}

/* Any byte of a packet may be wrong, also in its header with the event's number. */
static void a_wrong_byte_of_a_packet_is_counted(void **state)
{
	static const size_t lens[] = { 1, 8, 9, 23, 64, 100, LONGEST };

	for (size_t i = 0; i < COUNT(parts); i++)
		for (size_t l = 0; l < COUNT(lens); l++)
			for (size_t at = 0; at < lens[l]; at += lens[l] > 100 ? 97 : 1) {
				struct others o = { .wrong = A_BYTE, .byte = at };

				assert_int_equal(play(&o, &parts[i].plan, parts[i].rank, lens[l], 3, 3 * parts[i].each,
						      at % 2), 1);
			}
}

static void a_wrong_length_of_a_packet_is_counted(void **state)
{
	for (size_t i = 0; i < COUNT(parts); i++) {
		struct others o = { .wrong = THE_LENGTH };

		assert_int_equal(play(&o, &parts[i].plan, parts[i].rank, 100, 3, 3 * parts[i].each, false), 1);
	}
}

static void wrong_decisions_are_counted(void **state)
{
	static const enum wrong faults[] = { NOTHING, THE_EVENT, THE_LENGTH, THE_DESTINATION, THE_SENDER };

	for (size_t i = 0; i < COUNT(faults); i++)
		for (int observed = 0; observed < 2; observed++) {
			struct others o = { .wrong = faults[i] };

			assert_int_equal(play(&o, &supervised, 0, 64, 10, 10, observed), faults[i] != NOTHING);
			assert_int_equal(o.sent, 10 * supervised.sources);
		}
}

/*
 * A rank counts a wrong order. It still acts on the order that must have been sent, so that no
 * other rank waits for it.
 */
static void a_wrong_order_is_counted_and_done_as_it_must_have_been(void **state)
{
	static const enum wrong faults[] = { NOTHING, THE_EVENT, THE_LENGTH, THE_DESTINATION };
	static const struct {
		struct farm_plan plan;
		int rank, to;
	} ordered[] = {
		{ { .kind = FARM_PUSH, .sources = 2, .destinations = 1, .credits = 3 }, 1, 3 },
		{ { .kind = FARM_PULL, .sources = 2, .destinations = 1, .credits = 3 }, 2, 3 },
		{ { .kind = FARM_PULL, .sources = 2, .destinations = 1, .credits = 3 }, 3, 0 },
	};

	for (size_t k = 0; k < COUNT(ordered); k++)
		for (size_t i = 0; i < COUNT(faults); i++)
			for (int observed = 0; observed < 2; observed++) {
				struct others o = { .wrong = faults[i], .orders = true };

				assert_int_equal(play(&o, &ordered[k].plan, ordered[k].rank, 64, 10, 10, observed),
						 faults[i] != NOTHING);
				assert_int_equal(o.to, ordered[k].to);
				assert_int_equal(o.event, 9);
			}
}

static void a_destination_computes_as_long_as_it_is_occupied(void **state)
{
	struct farm_plan plan = parts[0].plan;
	struct others o = { .wrong = NOTHING };

	plan.occupation_s = 50e-6;
	play(&o, &plan, parts[0].rank, 64, 10, 30, true);
	assert_true(o.computed > 0.99 * 30 * 50e-6 && o.computed < 1.01 * 30 * 50e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everyone_has_a_role),
		cmocka_unit_test(credits_are_as_many_as_receives),
		cmocka_unit_test(every_rank_of_a_farm_has_buffers),
		cmocka_unit_test(right_packets_are_right_at_any_length),
		cmocka_unit_test(a_wrong_byte_of_a_packet_is_counted),
		cmocka_unit_test(a_wrong_length_of_a_packet_is_counted),
		cmocka_unit_test(wrong_decisions_are_counted),
		cmocka_unit_test(a_wrong_order_is_counted_and_done_as_it_must_have_been),
		cmocka_unit_test(a_destination_computes_as_long_as_it_is_occupied),
	};

	return cmocka_run_group_tests_name("farm", tests, NULL, NULL);
}
