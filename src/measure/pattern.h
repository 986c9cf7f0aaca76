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

/*
 * What a pattern is built for. It knows its ranks by their places 0 to size-1; which rank of the job has which place is
 * `ranks`' to say, so that any pattern can be run on any list of ranks.
 */
struct pattern_args {
	int place, size;	/* place: -1 if this rank does not take part */
	const int *ranks;	/* of each place; NULL: rank = place */
	size_t len;		/* bytes of a message */
	uint32_t window, batch;
	int pairs;		/* stream, read: pairs at once */
	bool bidirectional;	/* stream, read: both ends send and receive */
	const struct tree *tree;	/* multicast: its nodes are the places */
};

/*
 * A round being built. Each transfer takes a buffer of its own, so that no two can meet in one by mistake; what a
 * multicast receives and sends on is the one buffer that may be shared.
 */
struct build {
	const struct pattern_args *a;
	struct round *round;
	void *const *bufs;	/* of a message's length or PATTERN_REPLY at least; NULL: buffers are only counted */
	int nbufs, used;
};

/* A pattern: which capabilities it needs, and how a rank's round is built. */
struct pattern {
	const char *name;
	unsigned needs;		/* enum cap */
	/* Fills an empty round for a place; round->count is the caller's. 0, or -1 without memory. NULL: a farm (farm.h). */
	int (*build)(struct build *b);
	/* Iterations of a repetition if none are asked for; 0: as many as last about 10 ms. */
	uint64_t loops;
	/* Place 0, which is rank 0, sends first: the time counts from its start, if the ranks' clock is one. */
	bool from_root;
};

/* Builds a place's round out of `nbufs` buffers. 0, or -1 without memory or if the pattern takes more buffers. */
int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs, int nbufs, struct round *r);

/*
 * Buffers that a place takes; place 0 takes as many as any. *timed, if it is not NULL, says whether its clock counts.
 * -1 without memory.
 */
int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed);

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
