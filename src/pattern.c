/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern.h"

#include "backend.h"

int ring_left(int rank, int size)
{
	return (rank + size - 1) % size;
}

int ring_right(int rank, int size)
{
	return (rank + 1) % size;
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
	if (a->rank > 1)
		return 0;
	if (a->rank == 0) {
		r->timed = true;
		return lone(r, OP_SEND, 1, a->bufs[0], a->len) ||
		       lone(r, OP_RECV, 1, a->bufs[1], a->len);
	}
	return lone(r, OP_RECV, 0, a->bufs[1], a->len) || lone(r, OP_SEND, 0, a->bufs[0], a->len);
}

/* Both ends post the same number of transfers, in mirrored order. */
static int exchange_build(const struct pattern_args *a, struct round *r, int peer)
{
	r->timed = true;
	return round_step(r, a->window, a->window, a->batch) ||
	       round_add(r, OP_RECV, peer, 0, a->bufs[1], a->len) ||
	       round_add(r, OP_SEND, peer, 0, a->bufs[0], a->len) || round_step(r, 1, 1, 1) ||
	       round_add(r, OP_RECV, peer, 0, a->bufs[3], PATTERN_REPLY) ||
	       round_add(r, OP_SEND, peer, 0, a->bufs[2], PATTERN_REPLY);
}

static int stream_build(const struct pattern_args *a, struct round *r)
{
	bool sender = a->rank % 2 == 0;
	int peer = sender ? a->rank + 1 : a->rank - 1;

	if (a->rank >= 2 * a->pairs)
		return 0;
	if (a->bidirectional)
		return exchange_build(a, r, peer);
	if (round_step(r, a->window, a->window, a->batch))
		return -1;
	if (sender) {
		r->timed = true;
		return round_add(r, OP_SEND, peer, 0, a->bufs[0], a->len) ||
		       lone(r, OP_RECV, peer, a->bufs[3], PATTERN_REPLY);
	}
	return round_add(r, OP_RECV, peer, 0, a->bufs[1], a->len) ||
	       lone(r, OP_SEND, peer, a->bufs[2], PATTERN_REPLY);
}

/*
 * What a rank sends to its left arrives at that rank from its right, and lane 0 is posted first
 * everywhere: so in a ring of one or two ranks, too, the first receive meets the first send.
 */
static int ring_build(const struct pattern_args *a, struct round *r)
{
	int left = ring_left(a->rank, a->size), right = ring_right(a->rank, a->size);

	r->timed = true;
	return round_step(r, 1, 1, 1) || round_add(r, OP_RECV, right, 0, a->bufs[2], a->len) ||
	       round_add(r, OP_RECV, left, 1, a->bufs[3], a->len) ||
	       round_add(r, OP_SEND, left, 0, a->bufs[0], a->len) ||
	       round_add(r, OP_SEND, right, 1, a->bufs[1], a->len);
}

const struct pattern pattern_pingpong = { "pingpong", CAP_RING, 2, pingpong_build };
const struct pattern pattern_stream = { "stream", CAP_RING | CAP_WINDOW, 4, stream_build };
const struct pattern pattern_ring = { "ring", CAP_RING, 4, ring_build };
