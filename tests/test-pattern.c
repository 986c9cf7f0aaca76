/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "transport/backend.h"
#include "cmd/atlas/farm.h"
#include "measure/plan/patterns.h"
#include "model/tree.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MOST_BUFS 64

static char space[MOST_BUFS];
static void *bufs[MOST_BUFS];

/* Tables of multicasts. */
static struct tree tree;

static void build_in(const struct pattern *p, int place, int size, const int *ranks, bool both, struct round *r)
{
	struct pattern_args args = { .place = place, .size = size, .ranks = ranks, .len = 100, .window = 8, .batch = 3,
				     .pairs = size / 2, .bidirectional = both, .tree = &tree };

	for (size_t i = 0; i < MOST_BUFS; i++)
		bufs[i] = &space[i];
	round_reset(r);
	assert_int_equal(pattern_build(p, &args, bufs, MOST_BUFS, r), 0);
}

/* Counts the buffers that a place uses. */
static int buffers(const struct pattern *p, int place, int size)
{
	const struct pattern_args args = { .place = place, .size = size, .len = 100, .window = 8, .batch = 3,
					   .pairs = size / 2, .tree = &tree };

	return pattern_buffers(p, &args, NULL);
}

static void build(const struct pattern *p, int rank, int size, bool both, struct round *r)
{
	build_in(p, rank, size, NULL, both, r);
}

/* Counts the messages of one iteration. */
static unsigned count(const struct round *r, enum op op)
{
	unsigned n = 0;

	for (uint32_t s = 0; s < r->nsteps; s++)
		for (uint32_t i = 0; i < r->steps[s].n; i++)
			if (r->xfers[r->steps[s].first + i].op == op)
				n += r->steps[s].repeat;
	return n;
}

/*
 * Lists the operations between two ranks on lane `lane`, in the order in which `rank` posts them.
 */
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

/* Every send from a to b matches a receive of the same length and lane, in order. */
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
	for (int size = 1; size <= 9; size++) {
		assert_matched(&pattern_ring, size, false);
		assert_matched(&pattern_stream, size, false);
		assert_matched(&pattern_stream, size, true);
		assert_matched(&pattern_sliding, size, false);
		assert_matched(&pattern_sliding_acked, size, false);
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
		{ &pattern_sliding, false, { true, false, true, false } },
		{ &pattern_sliding_acked, false, { true, false, true, false } },
		{ &pattern_read_sliding, false, { true, false, true, false } },
		{ &pattern_ring, false, { true, true, true, true } },
	};
	struct round r = { 0 };

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

	build(&pattern_stream, 4, 5, false, &r);
	assert_int_equal(r.nsteps, 0);
	build(&pattern_pingpong, 2, 5, false, &r);
	assert_int_equal(r.nsteps, 0);
	round_free(&r);
}

/* ---- those of the ATLAS benchmarks ---- */

static const struct pattern *const many[] = { &pattern_exchange, &pattern_alltoall, &pattern_pairs, &pattern_outfarm,
					      &pattern_multicast, &pattern_funnel };

/* The ranks of places 0, 1, ..., from ranks 0 to 19. Other ranks take no part. */
static const int list[] = { 7, 2, 19, 3, 4, 0, 11, 13, 5, 1, 17 };
#define LISTED ((int)COUNT(list))

static int place_of(int rank, int size)
{
	for (int i = 0; i < size; i++)
		if (list[i] == rank)
			return i;
	return -1;
}

/* Every send to a place matches a receive there. Only ranks of the places send or receive. */
static void assert_matched_in_list(const struct pattern *p, int size)
{
	struct round from = { 0 }, to = { 0 };
	size_t sent[64], got[64];
	uint32_t lanes[64];

	for (int a = 0; a < 20; a++) {
		unsigned sends = 0, receives = 0;

		for (int b = 0; b < 20; b++) {
			size_t n, m;

			build_in(p, place_of(a, size), size, list, false, &from);
			build_in(p, place_of(b, size), size, list, false, &to);
			n = ops(&from, OP_SEND, b, sent, lanes);
			m = ops(&to, OP_RECV, a, got, lanes);
			assert_int_equal(n, m);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(sent[i], got[i]);
			sends += (unsigned)n;
			receives += (unsigned)ops(&from, OP_RECV, b, got, lanes);
		}
		assert_int_equal(count(&from, OP_SEND), sends);
		assert_int_equal(count(&from, OP_RECV), receives);
	}
	round_free(&from);
	round_free(&to);
}

static void lists_of_ranks_decide_who_takes_part(void **state)
{
	for (int size = 2; size <= LISTED; size++) {
		assert_int_equal(tree_build(&tree, TREE_BINOMIAL, 2, (uint32_t)size, 1, 1), 0);
		for (size_t i = 0; i < COUNT(many); i++)
			assert_matched_in_list(many[i], size);
		tree_free(&tree);
	}
	assert_matched_in_list(&pattern_ring, LISTED);
	assert_matched_in_list(&pattern_pingpong, 2);
}

static void who_takes_part_is_timed(void **state)
{
	struct round r = { 0 };

	assert_int_equal(tree_build(&tree, TREE_LINEAR, 0, 8, 1, 1), 0);
	for (size_t i = 0; i < COUNT(many); i++)
		for (int place = -1; place < 8; place++) {
			build(many[i], place, 8, false, &r);
			assert_int_equal(r.timed, r.nsteps > 0);
			assert_int_equal(r.roles != 0, r.timed);
			assert_int_equal(r.timed, place >= 0 && (many[i] != &pattern_exchange || place < 2));
		}
	tree_free(&tree);
	round_free(&r);
}

/*
 * Which rank sends first to which, and which has a computing task beside it with --load sender and
 * --load receiver.
 */
static void who_sends_first_to_whom_has_the_role_of_a_sender(void **state)
{
	static const struct {
		const struct pattern *p;
		unsigned roles[4];
	} rows[] = {
		{ &pattern_pingpong, { ROLE_SENDER, ROLE_RECEIVER, 0, 0 } },
		{ &pattern_exchange, { ROLE_SENDER | ROLE_RECEIVER, ROLE_SENDER | ROLE_RECEIVER, 0, 0 } },
		{ &pattern_pairs, { ROLE_SENDER, ROLE_SENDER, ROLE_RECEIVER, ROLE_RECEIVER } },
		{ &pattern_outfarm, { ROLE_SENDER, ROLE_RECEIVER, ROLE_RECEIVER, ROLE_RECEIVER } },
		{ &pattern_multicast, { ROLE_SENDER, ROLE_RECEIVER, ROLE_RECEIVER, ROLE_RECEIVER } },
		{ &pattern_bcast, { ROLE_SENDER, ROLE_RECEIVER, ROLE_RECEIVER, ROLE_RECEIVER } },
		{ &pattern_funnel, { ROLE_RECEIVER, ROLE_SENDER, ROLE_SENDER, ROLE_SENDER } },
		{ &pattern_burst, { ROLE_SENDER, ROLE_RECEIVER, 0, 0 } },
		{ &pattern_spaced, { ROLE_SENDER, ROLE_RECEIVER, 0, 0 } },
	};
	struct round r = { 0 };

	assert_int_equal(tree_build(&tree, TREE_BINOMIAL, 0, 4, 1, 1), 0);
	for (size_t i = 0; i < COUNT(rows); i++)
		for (int place = 0; place < 4; place++) {
			build(rows[i].p, place, 4, false, &r);
			assert_int_equal(r.roles, rows[i].roles[place]);
		}
	build(&pattern_alltoall, 3, 4, false, &r);
	assert_int_equal(r.roles, ROLE_SENDER | ROLE_RECEIVER);
	tree_free(&tree);
	round_free(&r);
}

/* In rotation, so that never all ranks send to one (METHODS 20, 22). */
static void all_to_all_rotates(void **state)
{
	struct round r = { 0 };

	for (int n = 2; n <= 17; n++)
		for (int rank = 0; rank < n; rank++) {
			build(&pattern_alltoall, rank, n, false, &r);
			assert_int_equal(r.nsteps, 1);
			assert_int_equal(r.nxfers, 2 * (n - 1));
			for (int i = 1; i < n; i++) {
				const struct xfer *in = &r.xfers[i - 1], *out = &r.xfers[n - 2 + i];

				assert_int_equal(in->op, OP_RECV);
				assert_int_equal(in->peer, (rank + n - i) % n);
				assert_int_equal(out->op, OP_SEND);
				assert_int_equal(out->peer, (rank + i) % n);
			}
		}
	round_free(&r);
}

static void hubs_go_through_their_list(void **state)
{
	static const struct pattern *const hubs[] = { &pattern_outfarm, &pattern_funnel };
	struct round r = { 0 };

	for (size_t h = 0; h < COUNT(hubs); h++) {
		build_in(hubs[h], 0, LISTED, list, false, &r);
		assert_int_equal(r.nsteps, 1);
		assert_int_equal(r.nxfers, LISTED - 1);
		for (int i = 1; i < LISTED; i++) {
			assert_int_equal(r.xfers[i - 1].op, h ? OP_RECV : OP_SEND);
			assert_int_equal(r.xfers[i - 1].peer, list[i]);
		}
	}
	round_free(&r);
}

static void pairs_across_the_halves(void **state)
{
	struct round r = { 0 };

	for (int place = 0; place < 8; place++) {
		build_in(&pattern_pairs, place, 8, list, false, &r);
		assert_int_equal(r.nxfers, 1);
		assert_int_equal(r.xfers[0].op, place < 4 ? OP_SEND : OP_RECV);
		assert_int_equal(r.xfers[0].peer, list[(place + 4) % 8]);
		assert_int_equal(r.steps[0].repeat, 8);
		assert_int_equal(r.steps[0].window, 8);
	}
	build(&pattern_pairs, 4, 5, false, &r);		/* the last of five ranks is left over */
	assert_int_equal(r.nsteps, 0);
	round_free(&r);
}

/*
 * A place first receives from its parent, then sends to its children in their order, from the same
 * buffer. The root sends its own.
 */
static void a_multicast_goes_along_its_tree(void **state)
{
	static const enum tree_kind kinds[] = { TREE_LINEAR, TREE_KARY, TREE_KNOMIAL, TREE_OPTIMAL };
	struct round r = { 0 };

	for (size_t k = 0; k < COUNT(kinds); k++) {
		assert_int_equal(tree_build(&tree, kinds[k], 3, (uint32_t)LISTED, 10, 4), 0);
		for (int v = 0; v < LISTED; v++) {
			uint32_t n = tree.first[v + 1] - tree.first[v], at = 0;

			build_in(&pattern_multicast, v, LISTED, list, false, &r);
			assert_int_equal(r.nxfers, n + (v > 0));
			assert_int_equal(r.nsteps, (n > 0) + (v > 0));
			if (v) {
				assert_int_equal(r.xfers[at].op, OP_RECV);
				assert_int_equal(r.xfers[at++].peer, list[tree.parent[v]]);
				assert_int_equal(r.steps[0].n, 1);
			}
			for (uint32_t i = 0; i < n; i++) {
				assert_int_equal(r.xfers[at].op, OP_SEND);
				assert_int_equal(r.xfers[at++].peer, list[tree.child[tree.first[v] + i]]);
			}
			for (at = 0; at < r.nxfers; at++) {
				assert_int_equal(r.xfers[at].origin, list[0]);
				assert_ptr_equal(r.xfers[at].buf, bufs[0]);
			}
		}
		tree_free(&tree);
	}
	build_in(&pattern_bcast, 3, LISTED, list, false, &r);
	assert_int_equal(r.nxfers, 1);
	assert_int_equal(r.xfers[0].op, OP_NATIVE);
	assert_int_equal(r.xfers[0].peer, list[0]);
	assert_int_equal(r.xfers[0].origin, list[0]);
	round_free(&r);
}

/*
 * A pattern uses as many buffers as it declares, each for messages of one kind. Received data are
 * not overwritten.
 */
static void a_pattern_uses_the_buffers_that_it_announces(void **state)
{
	static const struct pattern *const all[] = {
		&pattern_pingpong, &pattern_stream, &pattern_ring, &pattern_exchange, &pattern_alltoall, &pattern_pairs,
		&pattern_outfarm, &pattern_multicast, &pattern_bcast, &pattern_funnel, &pattern_burst, &pattern_backlog,
		&pattern_spaced,
	};
	struct round r = { 0 };

	for (int n = 2; n <= 17; n++) {
		assert_int_equal(tree_build(&tree, TREE_BINARY, 0, (uint32_t)n, 1, 1), 0);
		for (size_t i = 0; i < COUNT(all); i++)
			for (int place = 0; place < n; place++) {
				bool received[MOST_BUFS] = { false };
				int most = buffers(all[i], place, n);

				assert_true(most <= buffers(all[i], 0, n));
				build(all[i], place, n, false, &r);
				for (uint32_t x = 0; x < r.nxfers; x++) {
					long at = (char *)r.xfers[x].buf - space;

					assert_true(at >= 0 && at < most);
					assert_false(received[at] && r.xfers[x].origin == XFER_OWN);
					received[at] |= r.xfers[x].op == OP_RECV;
				}
			}
		tree_free(&tree);
	}
	round_free(&r);
}

/*
 * Counts the messages of an iteration. A message that several ranks get counts once and has one
 * buffer.
 */
static int messages(const struct round *r)
{
	int n = 0, shared = 0;

	for (uint32_t i = 0; i < r->nsteps; i++)
		for (uint32_t k = 0; k < r->steps[i].n; k++) {
			bool own = r->xfers[r->steps[i].first + k].origin == XFER_OWN;

			n += own ? (int)r->steps[i].repeat : 0;
			shared |= !own;
		}
	return n + shared;
}

static void a_pattern_sends_the_messages_that_it_announces(void **state)
{
	static const struct pattern *const all[] = {
		&pattern_pingpong, &pattern_stream, &pattern_ring, &pattern_exchange, &pattern_alltoall, &pattern_pairs,
		&pattern_outfarm, &pattern_multicast, &pattern_bcast, &pattern_funnel, &pattern_burst, &pattern_backlog,
		&pattern_spaced, &pattern_in_turn, &pattern_at_once,
	};
	struct round r = { 0 };

	for (int n = 2; n <= 17; n++) {
		assert_int_equal(tree_build(&tree, TREE_BINARY, 0, (uint32_t)n, 1, 1), 0);
		for (size_t i = 0; i < COUNT(all); i++) {
			const struct pattern_args a = { .size = n, .len = 100, .window = 8, .batch = 3,
							.pairs = n / 2, .tree = &tree };

			for (int place = 0; place < n; place++) {
				struct pattern_args here = a;

				here.place = place;
				build(all[i], place, n, false, &r);
				assert_int_equal(pattern_messages(all[i], &here), messages(&r));
				assert_true(messages(&r) <= pattern_messages(all[i], &a));
			}
		}
		tree_free(&tree);
	}
	round_free(&r);
}

static void patterns_say_what_they_need_of_a_backend(void **state)
{
	static const struct {
		const struct pattern *p;
		unsigned needs, not;
	} rows[] = {
		{ &pattern_pingpong, CAP_RING, CAP_PAIR },	{ &pattern_exchange, CAP_RING, CAP_PAIR },
		{ &pattern_alltoall, CAP_PAIR, CAP_MSG },	{ &pattern_pairs, CAP_PAIR, CAP_MSG },
		{ &pattern_outfarm, CAP_PAIR, CAP_MSG },	{ &pattern_funnel, CAP_PAIR, CAP_MSG },
		{ &pattern_multicast, CAP_PAIR, CAP_NATIVE },	{ &pattern_bcast, CAP_NATIVE, CAP_MSG },
		{ &pattern_push, CAP_MSG | CAP_ANY, CAP_NATIVE }, { &pattern_pull, CAP_MSG | CAP_ANY, CAP_NATIVE },
		{ &pattern_pipeline, CAP_MSG, CAP_NATIVE },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(rows[i].p->needs & rows[i].needs, rows[i].needs);
		assert_int_equal(rows[i].p->needs & rows[i].not, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends_meet_receives),
		cmocka_unit_test(who_is_timed),
		cmocka_unit_test(a_ring_moves_two_messages_a_rank),
		cmocka_unit_test(a_window_has_one_reply),
		cmocka_unit_test(odd_ranks_out_idle),
		cmocka_unit_test(lists_of_ranks_decide_who_takes_part),
		cmocka_unit_test(who_takes_part_is_timed),
		cmocka_unit_test(who_sends_first_to_whom_has_the_role_of_a_sender),
		cmocka_unit_test(all_to_all_rotates),
		cmocka_unit_test(hubs_go_through_their_list),
		cmocka_unit_test(pairs_across_the_halves),
		cmocka_unit_test(a_multicast_goes_along_its_tree),
		cmocka_unit_test(a_pattern_uses_the_buffers_that_it_announces),
		cmocka_unit_test(a_pattern_sends_the_messages_that_it_announces),
		cmocka_unit_test(patterns_say_what_they_need_of_a_backend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
