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
 * read:     the pairs of `stream`, but place 2i reads `window` messages from place 2i+1. Readers
 *	     are timed. bidirectional: both ends read.
 * sliding:  place 2i sends to place 2i+1, for `pairs` pairs. Each iteration sends `window`
 *	     messages, without a pause between iterations. At most `window` messages are
 *	     unacknowledged. Each message is acknowledged by the transport, or (sliding_acked)
 *	     by a message of PATTERN_REPLY bytes. Senders are timed (eq. 69-72).
 * read_sliding: like read, but iterations follow each other without a pause, and at most `window`
 *	     reads are in flight.
 * ring:     every rank sends to its left and its right neighbour and receives from both; all are
 *	     timed. Lane 0 goes left, lane 1 right. A single rank is its own neighbour on both
 *	     sides.
 * in_turn, at_once: the rings of b_eff at HLRS. Every rank sends to its right, then to its left
 *	     neighbour. For each send, a rank posts a receive from the opposite neighbour. In a
 *	     ring of two, a rank sends only once. in_turn completes one direction before it
 *	     starts the other; at_once does not wait.
 *
 * Patterns of the ATLAS benchmarks. All ranks that take part are timed until the last rank has
 * finished.
 * exchange: places 0 and 1 send each other `window` messages at the same time.
 * alltoall: every rank r sends to r+1, r+2, ..., and receives from r-1, r-2, ...
 * pairs:    the i-th place of the first half of the places sends `window` messages to the i-th
 *	     place of the second half.
 * outfarm:  place 0 sends a separate message to every other place.
 * multicast: place 0's message goes to all others along a tree.
 * bcast:    place 0's message goes to all others by the transport's own broadcast.
 * funnel:   every other place sends a message to place 0.
 *
 * Patterns that separate LogGP's overheads:
 * burst:    place 0 sends `window` messages to place 1. Place 0 is timed until it has passed all
 *	     messages to the transport.
 * backlog:  like burst, but place 1 begins after all messages have arrived. Place 1 is timed
 *	     while it receives the messages.
 * spaced:   place 0 sends `window` messages one after the other. Then place 1 answers with one
 *	     message of the same length. Place 0 is timed. Both places use message operations,
 *	     with pauses between the messages (spaced.h).
 */
extern const struct pattern pattern_pingpong, pattern_stream, pattern_read, pattern_ring,
	pattern_exchange, pattern_alltoall, pattern_pairs, pattern_outfarm, pattern_multicast,
	pattern_bcast, pattern_funnel, pattern_burst, pattern_backlog, pattern_spaced,
	pattern_in_turn, pattern_at_once, pattern_sliding, pattern_sliding_acked,
	pattern_read_sliding;

#endif
