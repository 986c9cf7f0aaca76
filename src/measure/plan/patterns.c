/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/patterns.h"

#include "model/schedule/operation.h"
#include "model/tree.h"
#include "transport/backend.h"

static int left_neighbour(int rank, int size)
{
	return (rank + size - 1) % size;
}

static int right_neighbour(int rank, int size)
{
	return (rank + 1) % size;
}

/*
 * Place 0 sends a message, and place 1 answers with a message. In variant 1, place 0 sends a window
 * of messages one by one before place 1 answers.
 */
static int build_pingpong(struct build *b)
{
	const struct pattern_args *a = b->a;
	enum op first = a->place ? OP_RECV : OP_SEND, then = a->place ? OP_SEND : OP_RECV;

	if (a->place > 1)
		return 0;
	pattern_set_role(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == 0);
	if (pattern_step_within(b, b->variant ? a->window : 1, 1, 1))
		return -1;
	return pattern_add(b, first, 1 - a->place, 0, a->len) ||
	       pattern_single_transfer(b, then, 1 - a->place, a->len);
}

/* This place and `peer` send to each other. Each posts as many receives as sends. */
static int build_both_ways(struct build *b, int peer)
{
	const struct pattern_args *a = b->a;

	pattern_set_role(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return pattern_step_window(b) || pattern_add(b, OP_RECV, peer, 0, a->len) ||
	       pattern_add(b, OP_SEND, peer, 0, a->len);
}

static int build_stream(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = a->place % 2 == 0;
	int peer = a->place ^ 1;

	if (a->place >= 2 * a->pairs)
		return 0;
	if (a->bidirectional)
		return build_both_ways(b, peer) ||
		       pattern_single_transfer(b, OP_RECV, peer, PATTERN_REPLY) ||
		       pattern_add(b, OP_SEND, peer, 0, PATTERN_REPLY);
	pattern_set_role(b, sender ? ROLE_SENDER : ROLE_RECEIVER, sender);
	return pattern_step_window(b) ||
	       pattern_add(b, sender ? OP_SEND : OP_RECV, peer, 0, a->len) ||
	       pattern_single_transfer(b, sender ? OP_RECV : OP_SEND, peer, PATTERN_REPLY);
}

/*
 * Place 2i sends to place 2i+1 with a window that slides over all iterations. The transport
 * acknowledges each message. In variant 1, the receiver answers each message with a message.
 */
static int build_sliding(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = a->place % 2 == 0;
	int peer = a->place ^ 1;

	if (a->place >= 2 * a->pairs)
		return 0;
	pattern_set_role(b, sender ? ROLE_SENDER : ROLE_RECEIVER, sender);
	b->round->flow = !b->variant ? FLOW_PLAIN : sender ? FLOW_AWAITS : FLOW_ANSWERS;
	if (pattern_step_window(b))
		return -1;
	if (!b->variant)
		return pattern_add(b, sender ? OP_SEND : OP_RECV, peer, 0, a->len);
	return pattern_add(b, OP_RECV, peer, 0, sender ? PATTERN_REPLY : a->len) ||
	       pattern_add(b, OP_SEND, peer, 0, sender ? a->len : PATTERN_REPLY);
}

/* Place 2i reads from place 2i+1. In variant 1, the window of reads slides over all iterations. */
static int build_read(struct build *b)
{
	const struct pattern_args *a = b->a;
	int odd = a->place % 2, peer = a->place ^ 1;
	bool reads = !odd || a->bidirectional, exposes = odd || a->bidirectional;

	if (a->place >= 2 * a->pairs)
		return 0;
	pattern_set_role(b, (reads ? ROLE_RECEIVER : 0) | (exposes ? ROLE_SENDER : 0), reads);
	b->round->flow = b->variant && reads ? FLOW_PLAIN : FLOW_NONE;
	if (reads && (pattern_step_window(b) || pattern_add(b, OP_READ, peer, 0, a->len)))
		return -1;
	return exposes ? pattern_single_transfer(b, OP_EXPOSE, peer, a->len) : 0;
}

/*
 * Every rank posts lane 0 first. A message to the left neighbour comes from that neighbour's right.
 * So the first receive matches the first send, even in a ring of one or two ranks.
 */
static int build_ring(struct build *b)
{
	const struct pattern_args *a = b->a;
	int left = left_neighbour(a->place, a->size), right = right_neighbour(a->place, a->size);

	pattern_set_role(b, ROLE_SENDER | ROLE_RECEIVER, true);
	return pattern_single_transfer(b, OP_RECV, right, a->len) ||
	       pattern_add(b, OP_RECV, left, 1, a->len) ||
	       pattern_add(b, OP_SEND, left, 0, a->len) ||
	       pattern_add(b, OP_SEND, right, 1, a->len);
}

/*
 * Every rank sends to its right and then to its left neighbour. In a ring of two, a rank sends only
 * once. In variant 1, each direction is a separate step.
 */
static int build_both_rings(struct build *b)
{
	const struct pattern_args *a = b->a;
	int left = left_neighbour(a->place, a->size), right = right_neighbour(a->place, a->size);

	pattern_set_role(b, ROLE_SENDER | ROLE_RECEIVER, true);
	if (pattern_single_transfer(b, OP_RECV, left, a->len) ||
	    pattern_add(b, OP_SEND, right, 0, a->len))
		return -1;
	if (a->size <= 2)
		return 0;
	return (b->variant && pattern_step(b, 1, 1)) || pattern_add(b, OP_RECV, right, 1, a->len) ||
	       pattern_add(b, OP_SEND, left, 1, a->len);
}

static int build_exchange(struct build *b)
{
	return b->a->place > 1 ? 0 : build_both_ways(b, 1 - b->a->place);
}

static int build_alltoall(struct build *b)
{
	const struct pattern_args *a = b->a;
	int n = a->size, err;

	pattern_set_role(b, ROLE_SENDER | ROLE_RECEIVER, true);
	err = pattern_step(b, 1, 1);
	for (int i = 1; i < n && !err; i++)
		err = pattern_add(b, OP_RECV, (a->place + n - i) % n, 0, a->len);
	for (int i = 1; i < n && !err; i++)
		err = pattern_add(b, OP_SEND, (a->place + i) % n, 0, a->len);
	return err;
}

static int build_pairs(struct build *b)
{
	const struct pattern_args *a = b->a;
	int half = a->size / 2;
	bool sender = a->place < half;

	if (a->place >= 2 * half)
		return 0;
	pattern_set_role(b, sender ? ROLE_SENDER : ROLE_RECEIVER, true);
	return pattern_step_window(b) ||
	       (sender ? pattern_add(b, OP_SEND, a->place + half, 0, a->len)
		       : pattern_add(b, OP_RECV, a->place - half, 0, a->len));
}

/* Place 0 sends to all other places (variant OP_SEND), or receives from all of them (OP_RECV). */
static int build_one_to_all(struct build *b)
{
	const struct pattern_args *a = b->a;
	bool sender = (a->place == 0) == (b->variant == OP_SEND);
	enum op op = sender ? OP_SEND : OP_RECV;
	int err;

	pattern_set_role(b, sender ? ROLE_SENDER : ROLE_RECEIVER, true);
	if (a->place > 0)
		return pattern_single_transfer(b, op, 0, a->len);
	err = pattern_step(b, 1, 1);
	for (int i = 1; i < a->size && !err; i++)
		err = pattern_add(b, op, i, 0, a->len);
	return err;
}

/* Each rank forwards the message from the buffer into which the rank received the message. */
static int build_multicast(struct build *b)
{
	const struct pattern_args *a = b->a;
	const struct tree *t = a->tree;
	uint32_t from = t->first[a->place], to = t->first[a->place + 1];
	void *buf = pattern_next_buffer(b);
	int err = 0;

	pattern_set_role(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, true);
	if (a->place)
		err = pattern_step(b, 1, 1) ||
		      pattern_add_shared(b, OP_RECV, (int)t->parent[a->place], buf);
	if (!err && to > from)
		err = pattern_step(b, 1, 1);
	for (uint32_t i = from; i < to && !err; i++)
		err = pattern_add_shared(b, OP_SEND, (int)t->child[i], buf);
	return err;
}

static int build_bcast(struct build *b)
{
	pattern_set_role(b, b->a->place ? ROLE_RECEIVER : ROLE_SENDER, true);
	return pattern_step(b, 1, 1) ||
	       pattern_add_native(b, OPERATION_BCAST, pattern_next_buffer(b));
}

/* Place 0 sends a window of messages to place 1. `variant` is the place whose time counts. */
static int build_one_way(struct build *b)
{
	const struct pattern_args *a = b->a;
	double bytes = (double)a->len * a->window;

	if (a->place > 1)
		return 0;
	if (a->place && b->variant)
		b->round->delay_s = PATTERN_BACKLOG_S + bytes / PATTERN_BACKLOG_BPS;
	pattern_set_role(b, a->place ? ROLE_RECEIVER : ROLE_SENDER, a->place == b->variant);
	return pattern_step_window(b) ||
	       pattern_add(b, a->place ? OP_RECV : OP_SEND, 1 - a->place, 0, a->len);
}

#define CAP_MANY (CAP_PAIR | CAP_WINDOW)
#define CAP_SLIDE (CAP_RING | CAP_WINDOW | CAP_FLOW)

const struct pattern pattern_pingpong = {
	.name = "pingpong", .needs = CAP_RING, .build = build_pingpong,
};
const struct pattern pattern_stream = {
	.name = "stream", .needs = CAP_RING | CAP_WINDOW, .build = build_stream,
};
const struct pattern pattern_read = {
	.name = "read", .needs = CAP_READ | CAP_WINDOW, .build = build_read,
};
const struct pattern pattern_read_sliding = {
	.name = "reads, sliding", .needs = CAP_READ | CAP_WINDOW | CAP_FLOW,
	.build = build_read, .variant = 1,
};
const struct pattern pattern_sliding = {
	.name = "sliding window", .needs = CAP_SLIDE | CAP_ACKED, .build = build_sliding,
};
const struct pattern pattern_sliding_acked = {
	.name = "sliding window, acknowledged by messages", .needs = CAP_SLIDE,
	.build = build_sliding, .variant = 1,
};
const struct pattern pattern_ring = { .name = "ring", .needs = CAP_RING, .build = build_ring };
const struct pattern pattern_exchange = {
	.name = "exchange", .needs = CAP_RING, .build = build_exchange,
};
const struct pattern pattern_alltoall = {
	.name = "all-to-all", .needs = CAP_MANY, .build = build_alltoall,
};
const struct pattern pattern_pairs = { .name = "pairs", .needs = CAP_MANY, .build = build_pairs };
const struct pattern pattern_outfarm = {
	.name = "outfarming", .needs = CAP_MANY, .build = build_one_to_all, .variant = OP_SEND,
};
const struct pattern pattern_multicast = {
	.name = "multicast", .needs = CAP_MANY,
	.build = build_multicast, .loops = 1, .from_root = true,
};
const struct pattern pattern_bcast = {
	.name = "native broadcast", .needs = CAP_MANY | CAP_NATIVE,
	.build = build_bcast, .loops = 1, .from_root = true,
};
const struct pattern pattern_funnel = {
	.name = "funnel", .needs = CAP_MANY, .build = build_one_to_all, .variant = OP_RECV,
};
const struct pattern pattern_burst = {
	.name = "burst", .needs = CAP_RING | CAP_WINDOW, .build = build_one_way,
};
const struct pattern pattern_backlog = {
	.name = "backlog", .needs = CAP_RING | CAP_WINDOW, .build = build_one_way, .variant = 1,
};
const struct pattern pattern_spaced = {
	.name = "spaced", .needs = CAP_RING | CAP_MSG,
	.build = build_pingpong, .variant = 1, .spaced = true,
};
const struct pattern pattern_in_turn = {
	.name = "rings, in turn", .needs = CAP_MANY, .build = build_both_rings, .variant = 1,
};
const struct pattern pattern_at_once = {
	.name = "rings, at once", .needs = CAP_MANY, .build = build_both_rings,
};
