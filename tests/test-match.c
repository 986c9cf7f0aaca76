/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests which receive matches which message, by hand and against a plain search; and the pool of
 * requests.
 */
#include "transport/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define RANKS 4
#define MOST 400

/* A message that a receive may match later. Messages and receives are numbered in their order. */
struct message {
	struct arrival arrival;		/* must be the first member, as the header says */
	int number;
};

/* A rank that keeps messages that arrive before their receives. */
struct keeper {
	struct match match;
	struct queue recvs[RANKS];
	struct request recv[MOST];
	struct message message[MOST];
	int nrecvs, nmessages;
};

/* A message from a rank arrives. Returns the number of the receive that it matches; -1: none. */
static int deliver(struct keeper *k, int from)
{
	struct message *m = &k->message[k->nmessages++];
	struct request *r = match_take(&k->match, &k->recvs[from]);

	*m = (struct message){ .arrival.from = from, .number = k->nmessages - 1 };
	if (!r)
		match_keep(&k->match, &m->arrival);
	return r ? (int)(r - k->recv) : -1;
}

/* Posts a receive. Returns the number of the message that it matches; -1: none. */
static int receive(struct keeper *k, int from)
{
	struct message *m = (struct message *)match_early(&k->match, from);
	struct request *r = &k->recv[k->nrecvs++];

	request_init(r, NULL, 0);
	if (!m)
		match_post(&k->match, from == PEER_ANY ? NULL : &k->recvs[from], r);
	return m ? m->number : -1;
}

static int rank_of(char c)
{
	return c == '*' ? PEER_ANY : c - '0';
}

/*
 * "m0" is a message from rank 0, "r0" a receive from rank 0, "r*" a receive from any rank. The
 * third character is the number of the matching receive or message; '-': none.
 */
static void cases_by_hand_meet_as_they_should(void **state)
{
	static const char *const cases[] = {
		"",
		"r0- m00",
		"m0- r00",
		"r*- m30",
		"m3- r*0",
		"r0- r0- m00 m01",			/* in order */
		"m0- m0- r00 r01",
		"r0- m1- m00 r10",	/* a message of another rank does not match */
		"r1- r0- m01 m10",
		"r0- r*- m00 m01",			/* the older receive matches */
		"r*- r0- m00 m01",
		"r*- r0- m10 m01",
		"r0- r*- m11 m00",
		"r*- r*- r2- m10 m21 m22",
		"r*- r2- r*- m20 m21 m22 m2-",
		"m1- m2- m1- r*0 r*1 r*2 r*-",		/* the message that came first matches */
		"m1- m2- m1- r21 r*0 r*2",
		"m1- m2- m1- r10 r12 r1- r21",
		/* the last kept message is taken, and more arrive */
		"m1- m2- r21 m3- r*0 r*2 m3- r33",
		"m0- m1- r11 r00 m2- r22",
		"m0- r*0 r*- m11 m1- r12",
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct keeper *k = calloc(1, sizeof(*k));

		for (const char *at = cases[i]; *at; at += 3 + (at[3] == ' ')) {
			int from = rank_of(at[1]), want = at[2] == '-' ? -1 : at[2] - '0';
			int got = at[0] == 'm' ? deliver(k, from) : receive(k, from);

			if (got != want)
				fail_msg("'%s' at '%s': meets %d", cases[i], at, got);
		}
		free(k);
	}
}

/*
 * The result of a plain search: it takes the oldest unmatched candidate on the other side that
 * fits.
 */
struct plain {
	int from[2][MOST], n[2];	/* receives, messages */
	bool taken[2][MOST];
};

static int plain_meet(struct plain *p, int side, int from)
{
	int other = 1 - side, mine = p->n[side]++;

	p->from[side][mine] = from;
	for (int i = 0; i < p->n[other]; i++) {
		int theirs = p->from[other][i];

		if (!p->taken[other][i] && (theirs == from || theirs == PEER_ANY || from == PEER_ANY)) {
			p->taken[other][i] = p->taken[side][mine] = true;
			return i;
		}
	}
	return -1;
}

static void against_a_plain_search(void **state)
{
	struct rng r;

	rng_seed(&r, 1);
	for (int round = 0; round < 200; round++) {
		struct keeper *k = calloc(1, sizeof(*k));
		struct plain *p = calloc(1, sizeof(*p));
		unsigned bias = (unsigned)(rng_next(&r) % 5) + 3;

		for (int i = 0; i < MOST; i++) {
			bool message = rng_next(&r) % 10 < bias;
			int from = (int)(rng_next(&r) % (RANKS + !message));
			int got, want;

			from = from == RANKS ? PEER_ANY : from;
			got = message ? deliver(k, from) : receive(k, from);
			want = plain_meet(p, message, from);
			assert_int_equal(got, want);
		}
		free(k);
		free(p);
	}
}

/*
 * A rank whose messages stay with the sender: each in pieces, of which a receive takes one at a
 * time.
 */
struct waiter {
	struct endpoint ep;		/* must be the first member */
	struct match match;
	struct queue recvs[RANKS];
	struct request recv[MOST];
	int nrecvs, pieces;
	/* messages still to come; remaining pieces of the current one */
	int sent[RANKS], left[RANKS];
	/* for each receive: rank * MOST + number of the message of that rank; -1: none */
	int met[MOST];
	int got[RANKS];
	char turns[MOST + 1];
	size_t nturns;
	int fail_at;			/* rank that fails; -1: none */
};

/* Takes one piece of a rank's message, if there is one. */
static int pull_piece(struct endpoint *ep, uint32_t rank)
{
	struct waiter *w = (struct waiter *)ep;
	struct queue *q = match_queue(&w->match, &w->recvs[rank]);

	if ((int)rank == w->fail_at)
		return -7;
	if (!q || !w->sent[rank])
		return 0;
	if (!w->left[rank])
		w->left[rank] = w->pieces;
	if (--w->left[rank]) {
		match_bind(&w->match, &w->recvs[rank]);
		return 0;
	}
	w->sent[rank]--;
	w->turns[w->nturns++] = (char)('0' + rank);
	w->met[queue_take(q) - w->recv] = (int)rank * MOST + w->got[rank]++;
	return 1;
}

static void post(struct waiter *w, int from)
{
	w->met[w->nrecvs] = -1;
	match_post(&w->match, from == PEER_ANY ? NULL : &w->recvs[from], &w->recv[w->nrecvs++]);
}

/* Receives from any rank serve the ranks in turn, beginning after the rank served last. */
static void receives_from_any_rank_serve_the_ranks_in_turn(void **state)
{
	static const struct {
		int sent[RANKS], recvs, each;
		const char *served;
	} cases[] = {
		{ { 0, 0, 0, 0 }, 3, 1, "" },
		{ { 2, 2, 2, 2 }, 8, 8, "01230123" },
		{ { 5, 0, 0, 1 }, 6, 6, "030000" },
		{ { 2, 2, 2, 2 }, 8, 1, "01230123" },	/* also if receives are posted one by one */
		{ { 3, 0, 3, 0 }, 6, 1, "020202" },
		/* and at most as many as there are receives */
		{ { 3, 1, 0, 2 }, 5, 2, "01303" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct waiter *w = calloc(1, sizeof(*w));

		w->pieces = 1;
		w->fail_at = -1;
		memcpy(w->sent, cases[i].sent, sizeof(w->sent));
		for (int left = cases[i].recvs; left > 0;) {
			int done = 0, got;

			for (int n = 0; n < cases[i].each && left > 0; n++, left--)
				post(w, PEER_ANY);
			do
				done += got = match_turns(&w->match, RANKS, &w->ep, pull_piece);
			while (got > 0);
			assert_int_equal(got, 0);
			assert_true(done <= cases[i].each);
		}
		assert_string_equal(w->turns, cases[i].served);
		free(w);
	}
}

static void a_failed_pull_ends_the_turns(void **state)
{
	struct waiter *w = calloc(1, sizeof(*w));

	w->pieces = 1;
	w->fail_at = 2;
	w->sent[1] = w->sent[3] = 1;
	for (int i = 0; i < 3; i++)
		post(w, PEER_ANY);
	assert_int_equal(match_turns(&w->match, RANKS, &w->ep, pull_piece), -7);
	assert_string_equal(w->turns, "1");
	free(w);
}

/*
 * Messages arrive in pieces, interleaved between ranks. A receive that has taken a piece gets the
 * other pieces from the same rank. Each rank's messages match receives in the order of both.
 */
static void interleaved_pieces_come_to_the_same_receive(void **state)
{
	struct rng r;

	rng_seed(&r, 3);
	for (int round = 0; round < 200; round++) {
		struct waiter *w = calloc(1, sizeof(*w));
		int from[MOST], done = 0, last[RANKS] = { -1, -1, -1, -1 };

		w->pieces = 1 + round % 4;
		w->fail_at = -1;
		for (int i = 0; i < MOST / 4; i++) {
			int rank = (int)(rng_next(&r) % RANKS);

			from[i] = rng_next(&r) % 2 ? rank : PEER_ANY;
			w->sent[rank]++;
			post(w, from[i]);
		}
		for (int i = 0; i < 100 * MOST; i++)
			done += pull_piece(&w->ep, (uint32_t)(rng_next(&r) % RANKS));
		for (int i = 0; i < w->nrecvs; i++) {
			int rank = w->met[i] / MOST, number = w->met[i] % MOST;

			if (w->met[i] < 0)
				continue;
			assert_true(from[i] == PEER_ANY || from[i] == rank);
			assert_true(number == last[rank] + 1);
			last[rank] = number;
			done--;
		}
		assert_int_equal(done, 0);
		for (int i = 0; i < RANKS; i++) {	/* the remaining messages do not fit */
			assert_int_equal(last[i], w->got[i] - 1);
			assert_true(!w->sent[i] || !match_queue(&w->match, &w->recvs[i]));
		}
		free(w);
	}
}

/*
 * Worked by hand: a receive from any is taking rank 1's message. Rank 0's message matches the next
 * receive, and so does rank 1's next message.
 */
static void a_bound_receive_gets_all_its_pieces(void **state)
{
	struct waiter *w = calloc(1, sizeof(*w));

	w->pieces = 2;
	w->fail_at = -1;
	memcpy(w->sent, (int[RANKS]){ 1, 2 }, sizeof(w->sent));
	post(w, PEER_ANY);
	post(w, 1);
	post(w, PEER_ANY);
	assert_int_equal(pull_piece(&w->ep, 1), 0);
	assert_int_equal(pull_piece(&w->ep, 0), 0);
	assert_int_equal(pull_piece(&w->ep, 0), 1);
	assert_int_equal(pull_piece(&w->ep, 1), 1);
	assert_int_equal(pull_piece(&w->ep, 1), 0);
	assert_int_equal(pull_piece(&w->ep, 1), 1);
	assert_int_equal(w->met[0], 1 * MOST + 0);
	assert_int_equal(w->met[1], 1 * MOST + 1);
	assert_int_equal(w->met[2], 0 * MOST + 0);
	assert_null(w->match.any.first);
	assert_null(w->recvs[1].first);
	free(w);
}

/*
 * The pool has as many requests as the widest step has in flight. It gives each once, and again
 * after its completion.
 */
static void a_pool_hands_out_each_request_once(void **state)
{
	struct step steps[] = { { 0, 2, 10, 3, 1, 0, 0 }, { 2, 1, 4, 4, 1, 0, 0 } };
	struct round narrow = { .steps = steps + 1, .nsteps = 1 }, wide = { .steps = steps, .nsteps = 2 };
	struct step endless = { 0, 2, UINT32_MAX, UINT32_MAX, 1, 0, 0 };
	struct round too_wide = { .steps = &endless, .nsteps = 1 }, empty = { .nsteps = 0 };
	struct request own = { .done = false }, *taken[6];
	struct pool p = { 0 };

	assert_int_equal(pool_arm(&p, &empty), 0);
	assert_int_equal(p.size, 1);
	assert_int_equal(pool_arm(&p, &narrow), 0);
	assert_int_equal(p.size, 4);
	assert_int_equal(pool_arm(&p, &wide), 0);
	assert_int_equal(p.size, 6);
	assert_int_equal(pool_arm(&p, &narrow), 0);
	assert_int_equal(p.size, 6);
	for (int again = 0; again < 2; again++) {
		for (int i = 0; i < 6; i++) {
			taken[i] = pool_take(&p, &own, 9);
			assert_true(!taken[i]->done && taken[i]->room == 9 && taken[i]->buf == &own);
			for (int k = 0; k < i; k++)
				assert_ptr_not_equal(taken[k], taken[i]);
		}
		assert_null(p.free);
		pool_done(&p, &own);		/* this request is not from the pool */
		assert_true(own.done);
		assert_null(p.free);
		for (int i = 0; i < 6; i++)
			pool_done(&p, taken[(i + 2) % 6]);
	}
	assert_int_not_equal(pool_arm(&p, &too_wide), 0);
	pool_free(&p);
	assert_int_equal(p.size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_by_hand_meet_as_they_should),
		cmocka_unit_test(against_a_plain_search),
		cmocka_unit_test(receives_from_any_rank_serve_the_ranks_in_turn),
		cmocka_unit_test(a_failed_pull_ends_the_turns),
		cmocka_unit_test(interleaved_pieces_come_to_the_same_receive),
		cmocka_unit_test(a_bound_receive_gets_all_its_pieces),
		cmocka_unit_test(a_pool_hands_out_each_request_once),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
