/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links that the ranks of a simulated network share: one link between two sides (LOAD.md, (61)), or
 * links from each leaf to the spine and back (SIMNET.md, (N1), (N2)). A link serves messages in the
 * order in which their heads reach it, and at equal times in the order of their senders. The
 * functions change only the structs passed to them. Times in ns.
 *
 * A message of k bytes passes the links l of its path in order. x of the first link is the time at
 * which the head, having left the sender's output port (79), reaches that link:
 *
 * 	b_l = max(x_l, free_l);  free_l = b_l + S_l;  x_{l+1} = b_l + leg;  S_l = k times per_byte
 * 	head at the receiver: b of the last link + leg
 * 	last byte there: max over l of (b_l + S_l + legs after l), or as it left the sender
 *
 * The legs add up to L. So an idle link as fast as a host's link changes nothing.
 */
#ifndef NETBENCH_BACKENDS_SIM_UPLINKS_H
#define NETBENCH_BACKENDS_SIM_UPLINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/sim/mail.h"
#include "backends/sim/sharing.h"

struct uplinks;

/*
 * A message that has yet to pass a shared link. `box` belongs to the caller and is not used here.
 */
struct crossing {
	struct crossing *next;
	double x;			/* when its head reaches the link */
	double work, end;		/* S, its time on a link; the leg after the last link */
	/* shortest time from its head to its last byte at the receiver */
	double least;
	int sender, receiver;
	/* the links of its path; how many it has passed, and how many there are */
	uint32_t link[2], at, n;
	struct message *message;
	struct mailbox *box;
};

/*
 * Creates the idle links of `nranks` ranks. G is the time per byte on a host's link, L the latency
 * of an idle network. Returns NULL without memory.
 */
struct uplinks *uplinks_new(const struct sharing *t, uint64_t seed, int nranks, double G,
			    double L);
/* Frees the links. NULL is allowed. */
void uplinks_free(struct uplinks *u);

/* Returns the time from a host to the first link of a path. */
double uplinks_first_leg(const struct uplinks *u);

/*
 * Adds a message whose head leaves the sender's output port at time `left`. `bytes` is its length
 * on the links. `meeting` is the number of the sender's meeting, from 0. message->flight must hold
 * the times at the receiver in an idle network. This sets flight.head to the earliest time still
 * possible, and message->crossing until the message has passed all links. A message within a leaf
 * is not changed. Returns false without memory.
 */
bool uplinks_enter(struct uplinks *u, const struct crossing *c, double left, size_t bytes,
		   uint64_t meeting);

/*
 * Lets the next message, in the order of x, pass its link, if it reached the link before `then`, or
 * at `now` at the latest. Returns that message with updated message->flight, valid until the next
 * call. Returns NULL if none exists.
 */
const struct crossing *uplinks_serve(struct uplinks *u, double now, double then);

/*
 * Draws the links of an ordered pair of ranks in a meeting, out of the `width` links of a leaf:
 * drawn[0] up from the sender's leaf, drawn[1] down to the receiver's leaf.
 */
void uplinks_draw(uint64_t seed, int sender, int receiver, uint64_t meeting, uint32_t width,
		  uint32_t drawn[2]);

#endif
