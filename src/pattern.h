/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who sends what to whom: each pattern builds one rank's round. Pure. A new pattern is a row.
 */
#ifndef NETBENCH_PATTERN_H
#define NETBENCH_PATTERN_H

#include "xfer.h"

/* Bytes of the reply that ends a window of messages. */
#define PATTERN_REPLY 1

/* What a pattern is built for. */
struct pattern_args {
	int rank, size;
	size_t len;		/* bytes of a message */
	uint32_t window, batch;
	int pairs;		/* stream: pairs at once */
	bool bidirectional;	/* stream: both ends send and receive */
	void *const *bufs;	/* nbufs buffers of at least max(len, PATTERN_REPLY) bytes */
};

/* A pattern: which capabilities it needs, how many buffers a rank lends it, how it is built. */
struct pattern {
	const char *name;
	unsigned needs;		/* enum cap */
	int nbufs;
	/* Fills an empty round for args->rank; round->count is the caller's. 0, or -1 without memory. */
	int (*build)(const struct pattern_args *args, struct round *r);
};

/*
 * pingpong: ranks 0 and 1 bounce one message; rank 0 is timed. Other ranks idle.
 * stream:   ranks 2i -> 2i+1 for `pairs` pairs, `window` messages, then a reply of one byte; senders are timed.
 *	     Other ranks idle. bidirectional: both send `window` messages, then both reply; all are timed.
 * ring:     every rank sends to its left and its right neighbour and receives from both; all are
 *	     timed. Lane 0 goes left, lane 1 right. One rank: both neighbours are itself.
 */
extern const struct pattern pattern_pingpong, pattern_stream, pattern_ring;

/* Neighbours in the ring of `size` ranks. */
int ring_left(int rank, int size);
int ring_right(int rank, int size);

#endif
