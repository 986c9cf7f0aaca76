/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule of a simulated network: when a message leaves, arrives and is taken. Pure. Times are ns.
 *
 * LogGP, definition 2: a rank is a processor and an interface with two sides that work at once.
 * F = (k-1) G is the time of a message's bytes, gamma = g + F.
 *
 *	processor	|o_s|							(78)
 *	out side	    |x ---- F ----|- g -|				(79)
 *	network		    . --- L --- .				(80)
 *	in side				|b ---- F ----|d - g -|			(81)
 *	processor					      |o_r|		(82)
 *
 *	(78) posting a send takes o_s; the send is then complete
 *	(79) x = max(posted, side free), in the order posted; the side is free at x + gamma
 *	(80) first byte there at x + L, the head; last byte at x + F + L
 *	(81) b = max(head, side free), in the order of heads; d = max(b + F, last byte);
 *	     the side is free at d + g
 *	(82) a program that waits takes a message from max(now, d) on, for o_r
 *
 * RDMA form (METHODS 1.6): the processor hands messages over by a doorbell, interfaces take time
 * for a message of their own, and tell the sender when it has arrived.
 *
 *	(84) posting takes o_wqe, the doorbell of a batch o_db; x = max(rung, side free), the side
 *	     is free at x + n_s = x + max(o_nsnd, F), serial o_nsnd + F; the head is x + o_nsnd + L
 *	(85) d as in (81), the side is free at d + max(0, o_nrcv - F), serial d + o_nrcv; the
 *	     message is there at d + o_nrcv
 *	(86) the completion of a batch's last send is visible L_ack after it is there. A read's
 *	     request has 0 bytes; when it is there the answer enters the out side, and is the
 *	     completion when it is there itself. The processor takes completions first, for o_cqe,
 *	     and messages for o_rcv + o_free
 *
 * A board (METHODS 35): a channel is busy for ceil(L/(c w))/f, the message arrives lat later; the
 * processor takes no part.
 */
#ifndef NETBENCH_BACKENDS_SIM_RULE_H
#define NETBENCH_BACKENDS_SIM_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/sim/faults.h"
#include "model/channel.h"
#include "model/loggp.h"
#include "model/rdma.h"

/* The version of the rule but for boards; results carry it. */
#define RULE_DEFINITION 2

#define RULE_LANES 2

struct sim_rule {
	bool is_board, is_rdma;		/* else LogGP */
	struct board board;
	uint32_t lanes;		/* a card's kernel pairs that the ring's directions use */
	struct loggp p;		/* ns; of the RDMA form L, o_wqe, G, and o_r of a message */
	struct rdma rdma;	/* ns; 0: LogGP */
	bool varies;		/* faults may shorten a message's L */
};

/* A rank's interface: when its sides, or a card's channels, are free. Zeroed: idle. */
struct rank_sides {
	double out_free, in_free;
	double left;			/* when the last message's head left the out side */
	double lane_free[RULE_LANES], lane_sent[RULE_LANES], lane_read[RULE_LANES];
};

/* A message on its way: its first and last byte at the receiver's interface. */
struct flight {
	double head, last;
};

/* Takes the parameters of the RDMA form, s. */
void rule_take_rdma(struct sim_rule *r, const struct rdma *of);

/* The processor posts a send at `now`; yields when it has done so. */
double rule_post(const struct sim_rule *r, double now);

/* The doorbell of a batch that the processor has posted. */
double rule_ring(const struct sim_rule *r, double now);

/* The out side takes a message of len bytes that was posted; lane: of a board. */
struct flight rule_leave(const struct sim_rule *r, struct rank_sides *s, double posted,
			 uint32_t lane, size_t len, const struct harm *harm);

/* The in side takes it; yields when the processor can have it. */
double rule_arrive(const struct sim_rule *r, struct rank_sides *s, struct flight f, size_t len);

/* The processor waits from `now` on for a message that is there; yields when it has it. */
double rule_take(const struct sim_rule *r, struct rank_sides *s, double now, double there,
		 uint32_t lane, size_t len);

/* When the sender sees the completion of a message that is there, and when it has taken it. */
double rule_visible(const struct sim_rule *r, double there);
double rule_complete(const struct sim_rule *r, double now, double visible);

/* The time of the bytes of a message behind its first one, F. */
double rule_bytes(const struct sim_rule *r, size_t len);

/* The head of a message that is posted at `now` or later leaves the out side no earlier. */
double rule_left(const struct sim_rule *r, double now);

/* The head of a message that is posted at `now` or later comes no earlier. */
double rule_soonest(const struct sim_rule *r, double now);

#endif
