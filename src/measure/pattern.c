/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/pattern.h"

#include "model/tree.h"
#include "transport/backend.h"

static int ring_left(int rank, int size)
{
	return (rank + size - 1) % size;
}

static int ring_right(int rank, int size)
{
	return (rank + 1) % size;
}

/* ---- building ---- */

/*
 * A round being built. Each transfer takes a buffer of its own; only what a multicast receives and
 * sends on is one buffer.
 */
struct build {
	const struct pattern_args *a;
	struct round *round;
	void *const *bufs;	/* NULL: only count them */
	int nbufs, used;
	bool each;		/* count one for each message of an iteration */
	uint32_t repeat;	/* of the last step */
	int variant;		/* of the pattern */
};

static int rank_of(const struct build *b, int place)
{
	return b->a->ranks ? b->a->ranks[place] : place;
}

static int step_within(struct build *b, uint32_t repeat, uint32_t window, uint32_t batch)
{
	b->repeat = repeat;
	return b->bufs ? round_step(b->round, repeat, window, batch) : 0;
}

static int step(struct build *b, uint32_t repeat, uint32_t batch)
{
	return step_within(b, repeat, repeat, batch);
}

/* The next buffer; NULL if all are used. */
static void *buffer(struct build *b)
{
	static char counted;	/* stands for any buffer */

	if (!b->bufs) {
		b->used += b->each && b->repeat ? (int)b->repeat : 1;
		return &counted;
	}
	return b->used < b->nbufs ? b->bufs[b->used++] : NULL;
}

static int add(struct build *b, enum op op, int place, uint32_t lane, size_t len)
{
	void *buf = buffer(b);

	if (!buf)
		return -1;
	return b->bufs ? round_add(b->round, op, rank_of(b, place), lane, buf, len) : 0;
}

/* Data of the root for several ranks: the buffer may be received into and then sent from. */
static int add_shared(struct build *b, enum op op, int place, void *buf)
{
	if (!buf || !b->bufs)
		return buf ? 0 : -1;
	return round_add_shared(b->round, op, rank_of(b, place), rank_of(b, 0), buf, b->a->len);
}

/* A step that is done as often as the window says. */
static int window(struct build *b)
{
	return step(b, b->a->window, b->a->batch);
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

int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs,
		  int nbufs, struct round *r)
{
	struct build b = { .a = a, .round = r, .bufs = bufs, .nbufs = nbufs,
			   .variant = p->variant };

	return a->place < 0 ? 0 : p->build(&b);
}

static int count_buffers(const struct pattern *p, const struct pattern_args *a, bool each,
			 bool *timed)
{
	struct round round = { 0 };
	struct build b = { .a = a, .round = &round, .each = each, .variant = p->variant };
	int err = a->place < 0 ? 0 : p->build(&b);

	if (timed)
		*timed = round.timed;
	return err ? -1 : b.used;
}

int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed)
{
	return count_buffers(p, a, false, timed);
}

int pattern_messages(const struct pattern *p, const struct pattern_args *a)
{
	return count_buffers(p, a, true, NULL);
}

/* ---- patterns ---- */

/* Place 0 sends a message (variant 1: a window of them one by one), place 1 answers with one. */
static int bounce_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	enum op first = a->place ? OP_RECV : OP_SEND, then = a->place ? OP_SEND : OP_RECV;

	if (a->place > 1)
		return 0;
	takes_part(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == 0);
	if (step_within(b, b->variant ? a->window : 1, 1, 1))
		return -1;
	return add(b, first, 1 - a->place, 0, a->len) || lone(b, then, 1 - a->place, a->len);
}

/* Both ends post the same number of transfers, in mirrored order. */
static int both_ways(struct build *b, int peer)
{
	const struct pattern_args *a = b->a;

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return window(b) || add(b, OP_RECV, peer, 0, a->len) || add(b, OP_SEND, peer, 0, a->len);
}

static int stream_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = a->place % 2 == 0;
	int peer = a->place ^ 1;

	if (a->place >= 2 * a->pairs)
		return 0;
	if (a->bidirectional)
		return both_ways(b, peer) || lone(b, OP_RECV, peer, PATTERN_REPLY) ||
		       add(b, OP_SEND, peer, 0, PATTERN_REPLY);
	takes_part(b, sender ? ROLE_SENDER : ROLE_RECEIVER, sender);
	return window(b) || add(b, sender ? OP_SEND : OP_RECV, peer, 0, a->len) ||
	       lone(b, sender ? OP_RECV : OP_SEND, peer, PATTERN_REPLY);
}

/*
 * A window that slides over all iterations: messages are acknowledged by the transport or, variant
 * 1, each by a message.
 */
static int slide_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = a->place % 2 == 0;
	int peer = a->place ^ 1;

	if (a->place >= 2 * a->pairs)
		return 0;
	takes_part(b, sender ? ROLE_SENDER : ROLE_RECEIVER, sender);
	b->round->flow = !b->variant ? FLOW_PLAIN : sender ? FLOW_AWAITS : FLOW_ANSWERS;
	if (window(b))
		return -1;
	if (!b->variant)
		return add(b, sender ? OP_SEND : OP_RECV, peer, 0, a->len);
	return add(b, OP_RECV, peer, 0, sender ? PATTERN_REPLY : a->len) ||
	       add(b, OP_SEND, peer, 0, sender ? a->len : PATTERN_REPLY);
}

/* Variant 1: the window of reads slides over all iterations. */
static int read_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	int odd = a->place % 2, peer = a->place ^ 1;
	bool reads = !odd || a->bidirectional, exposes = odd || a->bidirectional;

	if (a->place >= 2 * a->pairs)
		return 0;
	takes_part(b, (reads ? ROLE_RECEIVER : 0) | (exposes ? ROLE_SENDER : 0), reads);
	b->round->flow = b->variant && reads ? FLOW_PLAIN : FLOW_NONE;
	if (reads && (window(b) || add(b, OP_READ, peer, 0, a->len)))
		return -1;
	return exposes ? lone(b, OP_EXPOSE, peer, a->len) : 0;
}

/*
 * What a rank sends to its left arrives there from the right, and every rank posts lane 0 first: so
 * also in a ring of one or two ranks the first receive gets the first send.
 */
static int ring_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	int left = ring_left(a->place, a->size), right = ring_right(a->place, a->size);

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return lone(b, OP_RECV, right, a->len) || add(b, OP_RECV, left, 1, a->len) ||
	       add(b, OP_SEND, left, 0, a->len) || add(b, OP_SEND, right, 1, a->len);
}

/* Both directions of a ring, or the one of a ring of two; variant 1: each in a step of its own. */
static int hlrs_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	int left = ring_left(a->place, a->size), right = ring_right(a->place, a->size);

	takes_part(b, ROLE_SENDER | ROLE_RECEIVER, true);
	if (lone(b, OP_RECV, left, a->len) || add(b, OP_SEND, right, 0, a->len))
		return -1;
	if (a->size <= 2)
		return 0;
	return (b->variant && step(b, 1, 1)) || add(b, OP_RECV, right, 1, a->len) ||
	       add(b, OP_SEND, left, 1, a->len);
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
	return window(b) || (sender ? add(b, OP_SEND, a->place + half, 0, a->len)
				    : add(b, OP_RECV, a->place - half, 0, a->len));
}

/* Between place 0, which does the op `variant`, and each of the others. */
static int hub_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = (a->place == 0) == (b->variant == OP_SEND);
	enum op op = sender ? OP_SEND : OP_RECV;
	int err;

	takes_part(b, sender ? ROLE_SENDER : ROLE_RECEIVER, true);
	if (a->place > 0)
		return lone(b, op, 0, a->len);
	err = step(b, 1, 1);
	for (int i = 1; i < a->size && !err; i++)
		err = add(b, op, i, 0, a->len);
	return err;
}

/* A rank sends the message on from the buffer that received it. */
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

/* Place 0 sends a window of messages to place 1; `variant` is the place that is timed. */
static int one_way_build(struct build *b)
{
	const struct pattern_args *a = b->a;
	double bytes = (double)a->len * a->window;

	if (a->place > 1)
		return 0;
	if (a->place && b->variant)
		b->round->delay_s = PATTERN_BACKLOG_S + bytes / PATTERN_BACKLOG_BPS;
	takes_part(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == b->variant);
	return window(b) || add(b, a->place ? OP_RECV : OP_SEND, 1 - a->place, 0, a->len);
}

#define CAP_MANY (CAP_PAIR | CAP_WINDOW)
#define CAP_SLIDE (CAP_RING | CAP_WINDOW | CAP_FLOW)
#define CAP_FARM (CAP_PAIR | CAP_MSG | CAP_ANY)

const struct pattern pattern_pingpong = { "pingpong", CAP_RING, bounce_build, 0, 0, false };
const struct pattern pattern_stream = {
	"stream", CAP_RING | CAP_WINDOW, stream_build, 0, 0, false };
const struct pattern pattern_read = { "read", CAP_READ | CAP_WINDOW, read_build, 0, 0, false };
const struct pattern pattern_read_sliding = {
	"reads, sliding", CAP_READ | CAP_WINDOW | CAP_FLOW, read_build, 1, 0, false };
const struct pattern pattern_sliding = {
	"sliding window", CAP_SLIDE | CAP_ACKED, slide_build, 0, 0, false };
const struct pattern pattern_sliding_acked = {
	"sliding window, acknowledged by messages", CAP_SLIDE, slide_build, 1, 0, false };
const struct pattern pattern_ring = { "ring", CAP_RING, ring_build, 0, 0, false };
const struct pattern pattern_exchange = { "exchange", CAP_RING, exchange_build, 0, 0, false };
const struct pattern pattern_alltoall = { "all-to-all", CAP_MANY, alltoall_build, 0, 0, false };
const struct pattern pattern_pairs = { "pairs", CAP_MANY, pairs_build, 0, 0, false };
const struct pattern pattern_outfarm = { "outfarming", CAP_MANY, hub_build, OP_SEND, 0, false };
const struct pattern pattern_multicast = { "multicast", CAP_MANY, multicast_build, 0, 1, true };
const struct pattern pattern_bcast = {
	"native broadcast", CAP_MANY | CAP_BCAST, bcast_build, 0, 1, true };
const struct pattern pattern_funnel = { "funnel", CAP_MANY, hub_build, OP_RECV, 0, false };
const struct pattern pattern_burst = { "burst", CAP_RING | CAP_WINDOW, one_way_build, 0, 0, false };
const struct pattern pattern_backlog = {
	"backlog", CAP_RING | CAP_WINDOW, one_way_build, 1, 0, false };
const struct pattern pattern_spaced = { "spaced", CAP_RING | CAP_MSG, bounce_build, 1, 0, false };
const struct pattern pattern_in_turn = { "rings, in turn", CAP_MANY, hlrs_build, 1, 0, false };
const struct pattern pattern_at_once = { "rings, at once", CAP_MANY, hlrs_build, 0, 0, false };
const struct pattern pattern_push = { "push farm", CAP_FARM, NULL, 0, 0, false };
const struct pattern pattern_pull = { "pull farm", CAP_FARM, NULL, 0, 0, false };
const struct pattern pattern_pipeline = { "pipeline", CAP_FARM, NULL, 0, 0, false };
