/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns that several commands use. */
#ifndef NETBENCH_MEASURE_PLAN_PATTERNS_H
#define NETBENCH_MEASURE_PLAN_PATTERNS_H

#include "measure/plan/pattern.h"

/*
 * pingpong: places 0 and 1 bounce one message; place 0 is timed.
 * stream:   place 2i sends `window` messages to place 2i+1, which then replies with one byte.
 *	     There are `pairs` pairs; other ranks are idle. Senders are timed. bidirectional: both
 *	     ends send `window` messages, then both reply; all are timed.
 * read:     the same pairs, but place 2i reads `window` messages from place 2i+1. Readers are
 *	     timed. bidirectional: both ends read.
 * sliding:  places 2i -> 2i+1, for `pairs` pairs: each iteration sends `window` messages, without
 *	     a pause between iterations. At most `window` messages are unacknowledged. The
 *	     transport acknowledges each message, or (sliding_acked) a message of PATTERN_REPLY
 *	     bytes does. Senders are timed (eq. 69-72).
 * read_sliding: like read, but at most `window` reads are in flight, without pauses in between.
 * ring:     every rank sends to its left and its right neighbour and receives from both; all are
 *	     timed. Lane 0 goes left, lane 1 right. One rank: both neighbours are itself.
 * in_turn, at_once: the rings of b_eff at HLRS. Every rank sends to its right, then to its left
 *	     neighbour. For each send it posts a receive from the opposite neighbour. In a ring of
 *	     two it sends once. in_turn completes one direction before it starts the other.
 *
 * Patterns of the ATLAS benchmarks. All ranks that take part are timed until the last one has
 * finished.
 * exchange: places 0 and 1 send each other `window` messages at once.
 * alltoall: every rank r sends to r+1, r+2, ..., and receives from r-1, r-2, ...
 * pairs:    the i-th place of the first half sends `window` messages to the i-th of the second.
 * outfarm:  place 0 sends a separate message to every other place.
 * multicast: place 0's message goes to all others along a tree.
 * bcast:    place 0's message goes to all others by the transport's own broadcast.
 * funnel:   every other place sends a message to place 0.
 *
 * Patterns that separate LogGP's overheads:
 * burst:    place 0 sends `window` messages to place 1. Place 0 is timed until it has passed all
 *	     of them to the transport.
 * backlog:  like burst, but place 1 begins after all messages have arrived, and is timed while it
 *	     receives them.
 * spaced:   place 0 sends `window` messages one after the other. Place 1 answers each with a
 *	     message of the same length. Place 0 is timed. Both use message operations, with
 *	     pauses between messages (spaced.h).
 */
extern const struct pattern pattern_pingpong, pattern_stream, pattern_read, pattern_ring,
	pattern_exchange, pattern_alltoall, pattern_pairs, pattern_outfarm, pattern_multicast,
	pattern_bcast, pattern_funnel, pattern_burst, pattern_backlog, pattern_spaced,
	pattern_in_turn, pattern_at_once, pattern_sliding, pattern_sliding_acked,
	pattern_read_sliding;

#endif
