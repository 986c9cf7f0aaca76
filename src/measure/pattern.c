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

/* ---- building ---- */

static int rank_of(const struct build *b, int place)
{
	return b->a->ranks ? b->a->ranks[place] : place;
}

static int step(struct build *b, uint32_t repeat, uint32_t batch)
{
	return b->bufs ? round_step(b->round, repeat, repeat, batch) : 0;
}

/* The next buffer; NULL if there is none left. */
static void *buffer(struct build *b)
{
	static char counted;	/* stands for any buffer */

	if (!b->bufs)
		return b->used++, &counted;
	return b->used < b->nbufs ? b->bufs[b->used++] : NULL;
}

static int add(struct build *b, enum op op, int place, uint32_t lane, size_t len)
{
	void *buf = buffer(b);

	if (!buf)
		return -1;
	return b->bufs ? round_add(b->round, op, rank_of(b, place), lane, buf, len) : 0;
}

/* Data of the root that several ranks get: the buffer may be received into and then sent from. */
static int add_shared(struct build *b, enum op op, int place, void *buf)
{
	if (!buf)
		return -1;
	return b->bufs ? round_add_shared(b->round, op, rank_of(b, place), rank_of(b, 0), buf, b->a->len) : 0;
}

/* A step of one transfer, done once. */
static int lone(struct build *b, enum op op, int place, size_t len)
{
	return step(b, 1, 1) || add(b, op, place, 0, len);
}

static void takes_part(struct build *b, unsigned roles, bool timed)
{
	b->round->roles = roles;
	b->round->timed = timed;
}

int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs, int nbufs, struct round *r)
{
	struct build b = { .a = a, .round = r, .bufs = bufs, .nbufs = nbufs };

	return a->place < 0 ? 0 : p->build(&b);
}

int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed)
{
	struct round round = { 0 };
	struct build b = { .a = a, .round = &round };
	int err = a->place < 0 ? 0 : p->build(&b);

	if (timed)
		*timed = round.timed;
	return err ? -1 : b.used;
}

/* ---- patterns ---- */

static int pingpong_build(struct build *b)
{
	const struct pattern_args *a = b->a;

	if (a->place > 1)
		return 0;
	takes_part(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == 0);
	if (a->place == 0)
		return lone(b, OP_SEND, 1, a->len) || lone(b, OP_RECV, 1, a->len);
	return lone(b, OP_RECV, 0, a->len) || lone(b, OP_SEND, 0, a->len);
}

/* Both ends post the same number of transfers, in mirrored order. */
static int both_ways(struct build *b, int peer)
{
	const struct pattern_args *a = b->a;

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return step(b, a->window, a->batch) || add(b, OP_RECV, peer, 0, a->len) || add(b, OP_SEND, peer, 0, a->len);
}

static int stream_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = a->place % 2 == 0;
	int peer = sender ? a->place + 1 : a->place - 1;

	if (a->place >= 2 * a->pairs)
		return 0;
	if (a->bidirectional)
		return both_ways(b, peer) || step(b, 1, 1) || add(b, OP_RECV, peer, 0, PATTERN_REPLY) ||
		       add(b, OP_SEND, peer, 0, PATTERN_REPLY);
	takes_part(b, sender ? ROLE_SENDER : ROLE_RECEIVER, sender);
	return step(b, a->window, a->batch) || add(b, sender ? OP_SEND : OP_RECV, peer, 0, a->len) ||
	       lone(b, sender ? OP_RECV : OP_SEND, peer, PATTERN_REPLY);
}

static int read_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool reads = a->place % 2 == 0 || a->bidirectional, exposes = a->place % 2 || a->bidirectional;
	int peer = a->place % 2 ? a->place - 1 : a->place + 1;

	if (a->place >= 2 * a->pairs)
		return 0;
	takes_part(b, (reads ? ROLE_RECEIVER : 0) | (exposes ? ROLE_SENDER : 0), reads);
	if (reads && (step(b, a->window, a->batch) || add(b, OP_READ, peer, 0, a->len)))
		return -1;
	return exposes ? lone(b, OP_EXPOSE, peer, a->len) : 0;
}

/*
 * What a rank sends to its left arrives at that rank from its right, and lane 0 is posted first
 * everywhere: so in a ring of one or two ranks, too, the first receive meets the first send.
 */
static int ring_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	int left = ring_left(a->place, a->size), right = ring_right(a->place, a->size);

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return step(b, 1, 1) || add(b, OP_RECV, right, 0, a->len) || add(b, OP_RECV, left, 1, a->len) ||
	       add(b, OP_SEND, left, 0, a->len) || add(b, OP_SEND, right, 1, a->len);
}

/* Both directions of a ring, or the one that a ring of two has; each a step of its own, or all one. */
static int hlrs_build(struct build *b, bool in_turn)
{
	const struct pattern_args *a = b->a;
	int left = ring_left(a->place, a->size), right = ring_right(a->place, a->size), err;

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	err = step(b, 1, 1) || add(b, OP_RECV, left, 0, a->len) || add(b, OP_SEND, right, 0, a->len);
	if (err || a->size <= 2)
		return err;
	if (in_turn && step(b, 1, 1))
		return -1;
	return add(b, OP_RECV, right, 1, a->len) || add(b, OP_SEND, left, 1, a->len);
}

static int in_turn_build(struct build *b)
{
	return hlrs_build(b, true);
}

static int at_once_build(struct build *b)
{
	return hlrs_build(b, false);
}

static int exchange_build(struct build *b)
{
	return b->a->place > 1 ? 0 : both_ways(b, 1 - b->a->place);
}

static int alltoall_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	int n = a->size, err;

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	err = step(b, 1, 1);
	for (int i = 1; i < n && !err; i++)
		err = add(b, OP_RECV, (a->place + n - i) % n, 0, a->len);
	for (int i = 1; i < n && !err; i++)
		err = add(b, OP_SEND, (a->place + i) % n, 0, a->len);
	return err;
}

static int pairs_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	int half = a->size / 2;
	bool sender = a->place < half;

	if (a->place >= 2 * half)
		return 0;
	takes_part(b, sender ? ROLE_SENDER : ROLE_RECEIVER, true);
	return step(b, a->window, a->batch) ||
	       add(b, sender ? OP_SEND : OP_RECV, sender ? a->place + half : a->place - half, 0, a->len);
}

/* Between place 0, which does `op`, and each of the others. */
static int hub_build(struct build *b, enum op op)
{
	const struct pattern_args *a = b->a;
	int err;

	takes_part(b, (a->place == 0) == (op == OP_SEND) ? ROLE_SENDER : ROLE_RECEIVER, true);
	if (a->place > 0)
		return lone(b, op == OP_SEND ? OP_RECV : OP_SEND, 0, a->len);
	err = step(b, 1, 1);
	for (int i = 1; i < a->size && !err; i++)
		err = add(b, op, i, 0, a->len);
	return err;
}

static int outfarm_build(struct build *b)
{
	return hub_build(b, OP_SEND);
}

static int funnel_build(struct build *b)
{
	return hub_build(b, OP_RECV);
}

/* A rank that has received the message sends it on from where it lies. */
static int multicast_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	const struct tree *t = a->tree;
	uint32_t from = t->first[a->place], to = t->first[a->place + 1];
	void *buf = buffer(b);
	int err = 0;

	takes_part(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, true);
	if (a->place)
		err = step(b, 1, 1) || add_shared(b, OP_RECV, (int)t->parent[a->place], buf);
	if (!err && to > from)
		err = step(b, 1, 1);
	for (uint32_t i = from; i < to && !err; i++)
		err = add_shared(b, OP_SEND, (int)t->child[i], buf);
	return err;
}

static int bcast_build(struct build *b)
{
	takes_part(b, b->a->place ? ROLE_RECEIVER : ROLE_SENDER, true);
	return step(b, 1, 1) || add_shared(b, OP_BCAST, 0, buffer(b));
}

/* Place 0 sends a window of messages to place 1; `timed` is the place whose clock counts. */
static int one_way_build(struct build *b, int timed)
{
	const struct pattern_args *a = b->a;

	if (a->place > 1)
		return 0;
	takes_part(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == timed);
	return step(b, a->window, a->batch) || add(b, a->place ? OP_RECV : OP_SEND, 1 - a->place, 0, a->len);
}

static int burst_build(struct build *b)
{
	return one_way_build(b, 0);
}

static int backlog_build(struct build *b)
{
	double bytes = (double)b->a->len * b->a->window;

	b->round->delay_s = b->a->place == 1 ? PATTERN_BACKLOG_S + bytes / PATTERN_BACKLOG_BPS : 0;
	return one_way_build(b, 1);
}

static int spaced_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	enum op first = a->place ? OP_RECV : OP_SEND, then = a->place ? OP_SEND : OP_RECV;

	if (a->place > 1)
		return 0;
	takes_part(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == 0);
	if (b->bufs && round_step(b->round, a->window, 1, 1))
		return -1;
	return add(b, first, 1 - a->place, 0, a->len) || lone(b, then, 1 - a->place, a->len);
}

#define CAP_MANY (CAP_PAIR | CAP_WINDOW)
#define CAP_FARM (CAP_PAIR | CAP_MSG | CAP_ANY)

const struct pattern pattern_pingpong = { "pingpong", CAP_RING, pingpong_build, 0, false };
const struct pattern pattern_stream = { "stream", CAP_RING | CAP_WINDOW, stream_build, 0, false };
const struct pattern pattern_read = { "read", CAP_READ | CAP_WINDOW, read_build, 0, false };
const struct pattern pattern_ring = { "ring", CAP_RING, ring_build, 0, false };
const struct pattern pattern_exchange = { "exchange", CAP_RING, exchange_build, 0, false };
const struct pattern pattern_alltoall = { "all-to-all", CAP_MANY, alltoall_build, 0, false };
const struct pattern pattern_pairs = { "pairs", CAP_MANY, pairs_build, 0, false };
const struct pattern pattern_outfarm = { "outfarming", CAP_MANY, outfarm_build, 0, false };
const struct pattern pattern_multicast = { "multicast", CAP_MANY, multicast_build, 1, true };
const struct pattern pattern_bcast = { "native broadcast", CAP_MANY | CAP_BCAST, bcast_build, 1, true };
const struct pattern pattern_funnel = { "funnel", CAP_MANY, funnel_build, 0, false };
const struct pattern pattern_burst = { "burst", CAP_RING | CAP_WINDOW, burst_build, 0, false };
const struct pattern pattern_backlog = { "backlog", CAP_RING | CAP_WINDOW, backlog_build, 0, false };
const struct pattern pattern_spaced = { "spaced", CAP_RING | CAP_MSG, spaced_build, 0, false };
const struct pattern pattern_in_turn = { "rings, in turn", CAP_MANY, in_turn_build, 0, false };
const struct pattern pattern_at_once = { "rings, at once", CAP_MANY, at_once_build, 0, false };
const struct pattern pattern_push = { "push farm", CAP_FARM, NULL, 0, false };
const struct pattern pattern_pull = { "pull farm", CAP_FARM, NULL, 0, false };
const struct pattern pattern_pipeline = { "pipeline", CAP_FARM, NULL, 0, false };
