/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/pattern.h"

#include "transport/backend.h"
#include "model/tree.h"

int ring_left(int rank, int size)
{
	return (rank + size - 1) % size;
}

int ring_right(int rank, int size)
{
	return (rank + 1) % size;
}

static int rank_of(const struct pattern_args *a, int place)
{
	return a->ranks ? a->ranks[place] : place;
}

static int one_buf(int place, int size)
{
	(void)place;
	(void)size;
	return 1;
}

static int two_bufs(int place, int size)
{
	(void)place;
	(void)size;
	return 2;
}

static int four_bufs(int place, int size)
{
	(void)place;
	(void)size;
	return 4;
}

/* One at the hub for each of the others. */
static int hub_bufs(int place, int size)
{
	return place ? 1 : size - 1;
}

static int all_bufs(int place, int size)
{
	(void)place;
	return 2 * (size - 1);
}

/* A step of one transfer, done once. */
static int lone(struct round *r, enum op op, int peer, void *buf, size_t len)
{
	if (round_step(r, 1, 1, 1))
		return -1;
	return round_add(r, op, peer, 0, buf, len);
}

static int pingpong_build(const struct pattern_args *a, struct round *r)
{
	int peer;

	if (a->place < 0 || a->place > 1)
		return 0;
	peer = rank_of(a, 1 - a->place);
	if (a->place == 0) {
		r->timed = true;
		r->roles = ROLE_SENDER;
		return lone(r, OP_SEND, peer, a->bufs[0], a->len) || lone(r, OP_RECV, peer, a->bufs[1], a->len);
	}
	r->roles = ROLE_RECEIVER;
	return lone(r, OP_RECV, peer, a->bufs[1], a->len) || lone(r, OP_SEND, peer, a->bufs[0], a->len);
}

/* Both ends post the same number of transfers, in mirrored order. */
static int both_ways(const struct pattern_args *a, struct round *r, int peer)
{
	r->timed = true;
	r->roles = ROLE_SENDER | ROLE_RECEIVER;
	return round_step(r, a->window, a->window, a->batch) ||
	       round_add(r, OP_RECV, peer, 0, a->bufs[1], a->len) ||
	       round_add(r, OP_SEND, peer, 0, a->bufs[0], a->len);
}

static int replied_build(const struct pattern_args *a, struct round *r, int peer)
{
	return both_ways(a, r, peer) || round_step(r, 1, 1, 1) ||
	       round_add(r, OP_RECV, peer, 0, a->bufs[3], PATTERN_REPLY) ||
	       round_add(r, OP_SEND, peer, 0, a->bufs[2], PATTERN_REPLY);
}

static int stream_build(const struct pattern_args *a, struct round *r)
{
	bool sender = a->place % 2 == 0;
	int peer;

	if (a->place < 0 || a->place >= 2 * a->pairs)
		return 0;
	peer = rank_of(a, sender ? a->place + 1 : a->place - 1);
	if (a->bidirectional)
		return replied_build(a, r, peer);
	if (round_step(r, a->window, a->window, a->batch))
		return -1;
	r->roles = sender ? ROLE_SENDER : ROLE_RECEIVER;
	if (sender) {
		r->timed = true;
		return round_add(r, OP_SEND, peer, 0, a->bufs[0], a->len) ||
		       lone(r, OP_RECV, peer, a->bufs[3], PATTERN_REPLY);
	}
	return round_add(r, OP_RECV, peer, 0, a->bufs[1], a->len) ||
	       lone(r, OP_SEND, peer, a->bufs[2], PATTERN_REPLY);
}

static int read_build(const struct pattern_args *a, struct round *r)
{
	bool reader = a->place % 2 == 0;
	int peer;

	if (a->place < 0 || a->place >= 2 * a->pairs)
		return 0;
	peer = rank_of(a, reader ? a->place + 1 : a->place - 1);
	r->timed = reader || a->bidirectional;
	r->roles = (r->timed ? ROLE_RECEIVER : 0) | (!reader || a->bidirectional ? ROLE_SENDER : 0);
	if (r->timed && (round_step(r, a->window, a->window, a->batch) ||
			 round_add(r, OP_READ, peer, 0, a->bufs[1], a->len)))
		return -1;
	return !reader || a->bidirectional ? lone(r, OP_EXPOSE, peer, a->bufs[0], a->len) : 0;
}

/*
 * What a rank sends to its left arrives at that rank from its right, and lane 0 is posted first
 * everywhere: so in a ring of one or two ranks, too, the first receive meets the first send.
 */
static int ring_build(const struct pattern_args *a, struct round *r)
{
	int left, right;

	if (a->place < 0)
		return 0;
	left = rank_of(a, ring_left(a->place, a->size));
	right = rank_of(a, ring_right(a->place, a->size));
	r->timed = true;
	r->roles = ROLE_SENDER | ROLE_RECEIVER;
	return round_step(r, 1, 1, 1) || round_add(r, OP_RECV, right, 0, a->bufs[2], a->len) ||
	       round_add(r, OP_RECV, left, 1, a->bufs[3], a->len) ||
	       round_add(r, OP_SEND, left, 0, a->bufs[0], a->len) ||
	       round_add(r, OP_SEND, right, 1, a->bufs[1], a->len);
}

/* Both directions of a ring, or the one that a ring of two has; each a step of its own, or all one. */
static int hlrs_build(const struct pattern_args *a, struct round *r, bool in_turn)
{
	int left, right, err;

	if (a->place < 0)
		return 0;
	left = rank_of(a, ring_left(a->place, a->size));
	right = rank_of(a, ring_right(a->place, a->size));
	r->timed = true;
	r->roles = ROLE_SENDER | ROLE_RECEIVER;
	err = round_step(r, 1, 1, 1) || round_add(r, OP_RECV, left, 0, a->bufs[2], a->len) ||
	      round_add(r, OP_SEND, right, 0, a->bufs[0], a->len);
	if (err || a->size <= 2)
		return err;
	if (in_turn && round_step(r, 1, 1, 1))
		return -1;
	return round_add(r, OP_RECV, right, 1, a->bufs[3], a->len) || round_add(r, OP_SEND, left, 1, a->bufs[1], a->len);
}

static int in_turn_build(const struct pattern_args *a, struct round *r)
{
	return hlrs_build(a, r, true);
}

static int at_once_build(const struct pattern_args *a, struct round *r)
{
	return hlrs_build(a, r, false);
}

static int exchange_build(const struct pattern_args *a, struct round *r)
{
	if (a->place < 0 || a->place > 1)
		return 0;
	return both_ways(a, r, rank_of(a, 1 - a->place));
}

static int alltoall_build(const struct pattern_args *a, struct round *r)
{
	int n = a->size, err;

	if (a->place < 0)
		return 0;
	r->timed = true;
	r->roles = ROLE_SENDER | ROLE_RECEIVER;
	err = round_step(r, 1, 1, 1);
	for (int i = 1; i < n && !err; i++)
		err = round_add(r, OP_RECV, rank_of(a, (a->place + n - i) % n), 0, a->bufs[n - 2 + i], a->len);
	for (int i = 1; i < n && !err; i++)
		err = round_add(r, OP_SEND, rank_of(a, (a->place + i) % n), 0, a->bufs[i - 1], a->len);
	return err;
}

static int pairs_build(const struct pattern_args *a, struct round *r)
{
	int half = a->size / 2;
	bool sender = a->place < half;

	if (a->place < 0 || a->place >= 2 * half)
		return 0;
	r->timed = true;
	r->roles = sender ? ROLE_SENDER : ROLE_RECEIVER;
	if (round_step(r, a->window, a->window, a->batch))
		return -1;
	if (sender)
		return round_add(r, OP_SEND, rank_of(a, a->place + half), 0, a->bufs[0], a->len);
	return round_add(r, OP_RECV, rank_of(a, a->place - half), 0, a->bufs[1], a->len);
}

/* Between place 0, which does `op`, and each of the others. */
static int hub_build(const struct pattern_args *a, struct round *r, enum op op)
{
	int err = 0;

	if (a->place < 0)
		return 0;
	r->timed = true;
	r->roles = (a->place == 0) == (op == OP_SEND) ? ROLE_SENDER : ROLE_RECEIVER;
	if (a->place > 0)
		return lone(r, op == OP_SEND ? OP_RECV : OP_SEND, rank_of(a, 0), a->bufs[0], a->len);
	err = round_step(r, 1, 1, 1);
	for (int i = 1; i < a->size && !err; i++)
		err = round_add(r, op, rank_of(a, i), 0, a->bufs[i - 1], a->len);
	return err;
}

static int outfarm_build(const struct pattern_args *a, struct round *r)
{
	return hub_build(a, r, OP_SEND);
}

static int funnel_build(const struct pattern_args *a, struct round *r)
{
	return hub_build(a, r, OP_RECV);
}

/* Whoever has received the message sends it on from where it lies. */
static int multicast_build(const struct pattern_args *a, struct round *r)
{
	const struct tree *t = a->tree;
	int root = rank_of(a, 0), err = 0;
	uint32_t from, to;

	if (a->place < 0)
		return 0;
	from = t->first[a->place];
	to = t->first[a->place + 1];
	r->timed = true;
	r->roles = a->place ? ROLE_RECEIVER : ROLE_SENDER;
	if (a->place)
		err = round_step(r, 1, 1, 1) || round_add_shared(r, OP_RECV, rank_of(a, (int)t->parent[a->place]), root,
								 a->bufs[0], a->len);
	if (!err && to > from)
		err = round_step(r, 1, 1, 1);
	for (uint32_t i = from; i < to && !err; i++)
		err = round_add_shared(r, OP_SEND, rank_of(a, (int)t->child[i]), root, a->bufs[0], a->len);
	return err;
}

static int bcast_build(const struct pattern_args *a, struct round *r)
{
	int root = rank_of(a, 0);

	if (a->place < 0)
		return 0;
	r->timed = true;
	r->roles = a->place ? ROLE_RECEIVER : ROLE_SENDER;
	return round_step(r, 1, 1, 1) || round_add_shared(r, OP_BCAST, root, root, a->bufs[0], a->len);
}

/* Place 0 sends a window of messages to place 1; `timed` is the place whose clock counts. */
static int one_way_build(const struct pattern_args *a, struct round *r, int timed)
{
	if (a->place < 0 || a->place > 1)
		return 0;
	r->timed = a->place == timed;
	r->roles = a->place ? ROLE_RECEIVER : ROLE_SENDER;
	return round_step(r, a->window, a->window, a->batch) ||
	       round_add(r, a->place ? OP_RECV : OP_SEND, rank_of(a, 1 - a->place), 0, a->bufs[a->place], a->len);
}

static int burst_build(const struct pattern_args *a, struct round *r)
{
	return one_way_build(a, r, 0);
}

static int backlog_build(const struct pattern_args *a, struct round *r)
{
	double bytes = (double)a->len * a->window;

	r->delay_s = a->place == 1 ? PATTERN_BACKLOG_S + bytes / PATTERN_BACKLOG_BPS : 0;
	return one_way_build(a, r, 1);
}

static int spaced_build(const struct pattern_args *a, struct round *r)
{
	enum op first = a->place ? OP_RECV : OP_SEND, then = a->place ? OP_SEND : OP_RECV;
	int peer;

	if (a->place < 0 || a->place > 1)
		return 0;
	peer = rank_of(a, 1 - a->place);
	r->timed = a->place == 0;
	r->roles = a->place ? ROLE_RECEIVER : ROLE_SENDER;
	return round_step(r, a->window, 1, 1) || round_add(r, first, peer, 0, a->bufs[a->place], a->len) ||
	       lone(r, then, peer, a->bufs[1 - a->place], a->len);
}

#define CAP_MANY (CAP_PAIR | CAP_WINDOW)
#define CAP_FARM (CAP_PAIR | CAP_MSG | CAP_ANY)

const struct pattern pattern_pingpong = { "pingpong", CAP_RING, two_bufs, pingpong_build, 0, false };
const struct pattern pattern_stream = { "stream", CAP_RING | CAP_WINDOW, four_bufs, stream_build, 0, false };
const struct pattern pattern_read = { "read", CAP_READ | CAP_WINDOW, two_bufs, read_build, 0, false };
const struct pattern pattern_ring = { "ring", CAP_RING, four_bufs, ring_build, 0, false };
const struct pattern pattern_exchange = { "exchange", CAP_RING, two_bufs, exchange_build, 0, false };
const struct pattern pattern_alltoall = { "all-to-all", CAP_MANY, all_bufs, alltoall_build, 0, false };
const struct pattern pattern_pairs = { "pairs", CAP_MANY, two_bufs, pairs_build, 0, false };
const struct pattern pattern_outfarm = { "outfarming", CAP_MANY, hub_bufs, outfarm_build, 0, false };
const struct pattern pattern_multicast = { "multicast", CAP_MANY, one_buf, multicast_build, 1, true };
const struct pattern pattern_bcast = { "native broadcast", CAP_MANY | CAP_BCAST, one_buf, bcast_build, 1, true };
const struct pattern pattern_funnel = { "funnel", CAP_MANY, hub_bufs, funnel_build, 0, false };
const struct pattern pattern_burst = { "burst", CAP_RING | CAP_WINDOW, two_bufs, burst_build, 0, false };
const struct pattern pattern_backlog = { "backlog", CAP_RING | CAP_WINDOW, two_bufs, backlog_build, 0, false };
const struct pattern pattern_spaced = { "spaced", CAP_RING | CAP_MSG, two_bufs, spaced_build, 0, false };
const struct pattern pattern_in_turn = { "rings, in turn", CAP_MANY, four_bufs, in_turn_build, 0, false };
const struct pattern pattern_at_once = { "rings, at once", CAP_MANY, four_bufs, at_once_build, 0, false };
const struct pattern pattern_push = { "push farm", CAP_FARM, NULL, NULL, 0, false };
const struct pattern pattern_pull = { "pull farm", CAP_FARM, NULL, NULL, 0, false };
const struct pattern pattern_pipeline = { "pipeline", CAP_FARM, NULL, NULL, 0, false };
