/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who sends what to whom: each pattern builds one rank's round. Pure. A new pattern is a row.
 */
#ifndef NETBENCH_MEASURE_PATTERN_H
#define NETBENCH_MEASURE_PATTERN_H

#include "transport/xfer.h"

/* Bytes of the reply that ends a window of messages. */
#define PATTERN_REPLY 1

/* Time within which messages surely arrive (METHODS 2.3, E4): so long, and as bytes at 250 MB/s take. */
#define PATTERN_BACKLOG_S 1e-3
#define PATTERN_BACKLOG_BPS 250e6

struct tree;
struct farm_plan;

/*
 * What a pattern is built for. It knows its ranks by their places 0 to size-1; which rank of the job has which place is
 * `ranks`' to say, so that any pattern can be run on any list of ranks.
 */
struct pattern_args {
	int rank;		/* this rank's number in the job; -1: no rank in particular */
	int place, size;	/* place: -1 if this rank does not take part */
	const int *ranks;	/* of each place; NULL: rank = place */
	int *room;		/* for such a list, as long as the job has ranks */
	size_t len;		/* bytes of a message */
	uint32_t window, batch;
	int pairs;		/* stream: pairs at once */
	bool bidirectional;	/* stream: both ends send and receive */
	const struct tree *tree;	/* multicast: its nodes are the places */
	const struct farm_plan *farm;	/* push, pull, pipeline: places are ranks */
	void *const *bufs;	/* pattern->bufs(place, size) buffers of at least max(len, PATTERN_REPLY) bytes */
};

/* A pattern: which capabilities it needs, how many buffers a rank lends it, how it is built. */
struct pattern {
	const char *name;
	unsigned needs;		/* enum cap */
	/* Buffers of a place among `size`; place 0 has as many as any. NULL: it is no round but a farm (farm.h). */
	int (*bufs)(int place, int size);
	/* Fills an empty round for this rank; round->count is the caller's. 0, or -1 without memory. */
	int (*build)(const struct pattern_args *args, struct round *r);
	/* Iterations of a repetition if none are asked for; 0: as many as last about 10 ms. */
	uint64_t loops;
	/* Place 0, which is rank 0, sends first: the time counts from its start, if the ranks' clock is one. */
	bool from_root;
};

/*
 * pingpong: places 0 and 1 bounce one message; 0 is timed.
 * stream:   places 2i -> 2i+1 for `pairs` pairs, `window` messages, then a reply of one byte; senders are timed.
 *	     Other ranks idle. bidirectional: both send `window` messages, then both reply; all are timed.
 * read:     the same pairs, but places 2i read `window` messages that places 2i+1 have; readers are timed. bidirectional:
 *	     both read.
 * ring:     every rank sends to its left and its right neighbour and receives from both; all are
 *	     timed. Lane 0 goes left, lane 1 right. One rank: both neighbours are itself.
 * in_turn, at_once: as b_eff at HLRS has it: every rank sends to its right and then to its left neighbour, each with a
 *	     receive from the other side; in a ring of two it sends once. in_turn waits for the one before it starts the other.
 *
 * Those of the ATLAS benchmarks, in all of which everyone is timed who takes part, until the last has what it is to have:
 * exchange: places 0 and 1 send each other `window` messages at once.
 * alltoall: everyone to everyone else in rotation: r sends to r+1, r+2, ... and receives from r-1, r-2, ...
 * pairs:    place i of the first half sends `window` messages to place i of the second half.
 * outfarm:  place 0 sends to 1, 2, ... each its own message.
 * multicast: place 0's message goes to all others along a tree, or by the transport's own broadcast.
 * funnel:   everyone sends a message to place 0.
 * push, pull, pipeline: see farm.h.
 *
 * Those that tell LogGP's overheads apart:
 * burst:    place 0 sends `window` messages to place 1 and is timed: until all are handed over.
 * backlog:  the same, but place 1 begins later, when all have come, and is timed: receiving them.
 * spaced:   place 0 sends `window` messages one after the other, place 1 answers with one as long; 0 is timed. Done by
 *	     message operations, with pauses between the messages (spaced.h).
 */
extern const struct pattern pattern_pingpong, pattern_stream, pattern_read, pattern_ring, pattern_exchange, pattern_alltoall,
	pattern_pairs, pattern_outfarm, pattern_multicast, pattern_bcast, pattern_funnel, pattern_push, pattern_pull,
	pattern_pipeline, pattern_burst, pattern_backlog, pattern_spaced, pattern_in_turn, pattern_at_once;

/* Neighbours in the ring of `size` ranks. */
int ring_left(int rank, int size);
int ring_right(int rank, int size);

#endif
