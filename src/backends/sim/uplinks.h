/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links that the ranks of a simulated network share: one link between two sides (LOAD.md, (61)), or
 * links from each leaf to the spine and back (SIMNET.md, (N1), (N2)). A link serves messages in the
 * order in which their heads reach the link, and at equal times in the order of their senders. The
 * functions change only the structs passed to them. Times are in ns.
 *
 * A message of k bytes passes the links l of its path in order. x_l is the time at which its head
 * reaches link l. The first x_l is the time at which the head leaves the sender's output port (79),
 * plus the leg before the first link:
 *
 * 	b_l = max(x_l, free_l);  free_l = b_l + S_l;  x_{l+1} = b_l + leg;  S_l = k times per_byte
 * 	head at the receiver: b of the last link + leg
 * 	last byte there: max over l of (b_l + S_l + legs after l), or as it left the sender
 *
 * A leg is the latency between two links, or between a host and a link. The legs add up to L. So an
 * idle link that is as fast as a host's link changes nothing.
 */
#ifndef NETBENCH_BACKENDS_SIM_UPLINKS_H
#define NETBENCH_BACKENDS_SIM_UPLINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/sim/mail.h"
#include "backends/sim/sharing.h"

struct uplinks;

/*
 * A message that has not passed all shared links yet. `box` belongs to the caller, and uplinks.c
 * does not use it.
 */
struct crossing {
	struct crossing *next;
	/* the time at which the message's head reaches its next link */
	double x;
	/* work: S_l, the message's time on a link. end: the leg after the final link. */
	double work, end;
	/*
	 * shortest time between the arrivals of the message's head and of its last byte at the
	 * receiver
	 */
	double least;
	int sender, receiver;
	/*
	 * link: the links of the message's path. at: number of links that the message has passed.
	 * n: number of links of the path.
	 */
	uint32_t link[2], at, n;
	struct message *message;
	struct mailbox *box;
};

/*
 * Creates the links that `nranks` ranks share, all idle. G is the time per byte on a host's link. L
 * is the latency of an idle network. uplinks_free frees the links. Returns NULL if there is no
 * memory.
 */
struct uplinks *uplinks_new(const struct sharing *t, uint64_t seed, int nranks, double G,
			    double L);
/* Frees the links. NULL is allowed. */
void uplinks_free(struct uplinks *u);

/* Returns the latency between a host and the first link of a path. */
double uplinks_first_leg(const struct uplinks *u);

/*
 * Adds a message. Its head leaves the sender's output port at time `left`. `bytes` is the message's
 * length on the links. `meeting` is the number of the sender's meeting, from 0. message->flight
 * must hold the times at the receiver in an idle network. This function sets flight.head to the
 * earliest time still possible. It also sets message->crossing, which stays true until the message
 * has passed all links. It does not change a message within a leaf. Returns false if there is no
 * memory.
 */
bool uplinks_enter(struct uplinks *u, const struct crossing *c, double left, size_t bytes,
		   uint64_t meeting);

/*
 * Chooses the message whose head reaches its next link first, and lets the message pass that link.
 * The head must reach the link before time `then`, or at time `now` at the latest. Returns the
 * crossing of this message, whose message->flight is updated. The crossing is valid until the next
 * call. Returns NULL if there is no such message.
 */
const struct crossing *uplinks_serve(struct uplinks *u, double now, double then);

/*
 * Draws the links for an ordered pair of ranks in a meeting, out of the `width` links of each leaf.
 * drawn[0] is the uplink from the sender's leaf, and drawn[1] is the downlink to the receiver's
 * leaf.
 */
void uplinks_draw(uint64_t seed, int sender, int receiver, uint64_t meeting, uint32_t width,
		  uint32_t drawn[2]);

#endif
