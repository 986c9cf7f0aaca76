/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links that the ranks of a simulated network share: between two sides (LOAD.md, (61)), or from
 * each leaf to the spine and back (SIMNET.md, (N1), (N2)). Messages are served in the order of their
 * heads, at equal times by sender. Pure. Times are ns.
 *
 * A message of k bytes, links l of its path in order; x of the first is when the head has left the
 * sender's out side (79) and come to it:
 *
 *	b_l = max(x_l, free_l);  free_l = b_l + S_l;  x_{l+1} = b_l + leg;  S_l = k times per_byte
 *	head at the receiver: b of the last link + leg
 *	last byte there: max over l of (b_l + S_l + legs after l), or as it left the sender
 *
 * The legs add up to L, so an idle link that is as fast as a host changes nothing.
 */
#ifndef NETBENCH_BACKENDS_SIM_UPLINKS_H
#define NETBENCH_BACKENDS_SIM_UPLINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/sim/mail.h"
#include "backends/sim/sharing.h"

struct uplinks;

/* A message before a shared link. `box`, the caller's, comes along. */
struct crossing {
	struct crossing *next;
	double x;			/* its head reaches the link */
	double work, end;		/* S; the leg behind the last link */
	double least;			/* from the head to the last byte at the receiver */
	int sender, receiver;
	uint32_t link[2], at, n;	/* links of its path, those passed, all */
	struct message *message;
	struct mailbox *box;
};

/*
 * The links of `nranks` ranks, idle. A byte takes G at a host's link, an idle network L. NULL
 * without memory.
 */
struct uplinks *uplinks_new(const struct sharing *t, uint64_t seed, int nranks, double G,
			    double L);
/* NULL is allowed. */
void uplinks_free(struct uplinks *u);

/* From a host to the first link of a path. */
double uplinks_first_leg(const struct uplinks *u);

/*
 * The head of a message leaves its sender's out side at `left`; message->flight says when an idle
 * network has it at the receiver. `meeting`: the sender's, from 0. `bytes`: of the message on the
 * links. From then on flight.head is the earliest that is still possible, and message->crossing is
 * set until it is through. A message within a leaf stays as it is. False without memory.
 */
bool uplinks_enter(struct uplinks *u, const struct crossing *c, double left, size_t bytes,
		   uint64_t meeting);

/*
 * The next message in the order of x passes its link, if it came to it before `then`, or at `now`
 * at the latest. Yields it until the next call, with message->flight anew; NULL: none did.
 */
const struct crossing *uplinks_serve(struct uplinks *u, double now, double then);

/*
 * The links of an ordered pair in a meeting, of `width` links of a leaf: up from the sender's leaf,
 * and down to the receiver's.
 */
void uplinks_draw(uint64_t seed, int sender, int receiver, uint64_t meeting, uint32_t width,
		  uint32_t drawn[2]);

#endif
