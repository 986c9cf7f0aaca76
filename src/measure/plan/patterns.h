/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns that there are, each a row. */
#ifndef NETBENCH_MEASURE_PLAN_PATTERNS_H
#define NETBENCH_MEASURE_PLAN_PATTERNS_H

#include "measure/plan/pattern.h"

/*
 * pingpong: places 0 and 1 bounce one message; 0 is timed.
 * stream:   places 2i -> 2i+1 for `pairs` pairs, `window` messages, then a reply of one byte;
 *	     senders are timed, other ranks idle. bidirectional: both send `window` messages, then
 *	     both reply; all are timed.
 * read:     the same pairs, but places 2i read `window` messages of places 2i+1; readers are timed.
 *	     bidirectional: both read.
 * sliding:  places 2i -> 2i+1 for `pairs` pairs, as many windows of messages as there are
 *	     iterations, with no pause between them: at most `window` messages are not acknowledged,
 *	     each by the transport or (sliding_acked) by a message of PATTERN_REPLY bytes; senders
 *	     are timed (eq. 69-72).
 * read_sliding: read, with at most `window` reads in flight and no pause between the windows.
 * ring:     every rank sends to its left and its right neighbour and receives from both; all are
 *	     timed. Lane 0 goes left, lane 1 right. One rank: both neighbours are itself.
 * in_turn, at_once: the rings of b_eff at HLRS: every rank sends to its right, then to its left
 *	     neighbour, each with a receive from the other side; in a ring of two it sends once.
 *	     in_turn completes one direction before it starts the other.
 *
 * Those of the ATLAS benchmarks; all ranks that take part are timed, until the last is done:
 * exchange: places 0 and 1 send each other `window` messages at once.
 * alltoall: every rank sends to every other: r to r+1, r+2, ..., and receives from r-1, r-2, ...
 * pairs:    place i of the first half sends `window` messages to place i of the second half.
 * outfarm:  place 0 sends to each other place a message of its own.
 * multicast, bcast: place 0's message goes to all others along a tree, or by the transport.
 * funnel:   every other place sends a message to place 0.
 *
 * Those that tell LogGP's overheads apart:
 * burst:    place 0 sends `window` messages to place 1 and is timed until all are handed over.
 * backlog:  the same, but place 1 begins after all have arrived, and is timed while it receives.
 * spaced:   place 0 sends `window` messages one after the other, place 1 answers with one as long;
 *	     0 is timed. Done by message operations, with pauses between the messages (spaced.h).
 */
extern const struct pattern pattern_pingpong, pattern_stream, pattern_read, pattern_ring,
	pattern_exchange, pattern_alltoall, pattern_pairs, pattern_outfarm, pattern_multicast,
	pattern_bcast, pattern_funnel, pattern_burst, pattern_backlog, pattern_spaced,
	pattern_in_turn, pattern_at_once, pattern_sliding, pattern_sliding_acked,
	pattern_read_sliding;

#endif
