/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule of a simulated network: when a message leaves, when it arrives, and when the processor
 * receives it. The functions change only the structs passed to them. Times are in ns.
 *
 * LogGP, definition 2: a rank has a processor and an interface. The interface has an output port
 * and an input port, which work at the same time. F = (k-1) G is the time of a message's bytes,
 * gamma = g + F.
 *
 * 	processor	|o_s|							(78)
 * 	output port	    |x ---- F ----|- g -|				(79)
 * 	network		    . --- L --- .				(80)
 * 	input port			|b ---- F ----|d - g -|			(81)
 * 	processor					      |o_r|		(82)
 *
 * 	(78) posting a send takes o_s; the send is then complete
 * 	(79) x = max(posted, port free), in the order posted; the port is free at x + gamma
 * 	(80) the first byte, the head, arrives at x + L; the last byte at x + F + L
 * 	(81) b = max(head, port free), in the order of heads; d = max(b + F, last byte);
 * 	     the port is free at d + g
 * 	(82) a waiting program receives a message from max(now, d) on, which takes o_r
 *
 * RDMA form (METHODS 1.6): the processor hands messages over with a doorbell. The interfaces need
 * time for each message. The receiving interface acknowledges each message to the sender when the
 * message has arrived.
 *
 * 	(84) posting takes o_wqe, the doorbell of a batch o_db; x = max(rung, port free), the port
 * 	     is free at x + n_s = x + max(o_nsnd, F), serial o_nsnd + F; the head is x + o_nsnd + L
 * 	(85) d as in (81), the port is free at d + max(0, o_nrcv - F), serial d + o_nrcv; the
 * 	     message has arrived at d + o_nrcv
 * 	(86) the completion of a batch's last send is visible L_ack after its arrival. A read's
 * 	     request has 0 bytes. When the request has arrived, the answer enters the output
 * 	     port. The arrival of the answer is the completion. The processor takes
 * 	     completions first, for o_cqe, and then messages, for o_rcv + o_free
 *
 * A board (METHODS 35): a channel is busy for ceil(L/(c w))/f, and the message arrives lat later.
 * The processor takes no part.
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

/* The version of the rule for networks other than boards. Results record it. */
#define RULE_DEFINITION 2

#define RULE_LANES 2

/* The parameters of a simulated network. */
struct sim_rule {
	bool is_board, is_rdma;		/* the kind of network; LogGP if neither is set */
	struct board board;
	/* number of kernel pairs of a card that carry one direction of the ring */
	uint32_t lanes;
	/*
	 * LogGP parameters, ns. The RDMA form has L, G, o_s (which is o_wqe) and o_r (the time to
	 * receive a message).
	 */
	struct loggp p;
	struct rdma rdma;	/* parameters of the RDMA form, ns; all 0 for LogGP */
	bool varies;		/* faults may make the latency of a message shorter than L */
};

/*
 * A rank's interface: the times from which its ports, or a card's channels, are free. Zeroed memory
 * is an idle interface.
 */
struct rank_ports {
	double out_free, in_free;
	/* the time at which the head of the latest message left the output port */
	double left;
	double lane_free[RULE_LANES], lane_sent[RULE_LANES], lane_read[RULE_LANES];
};

/*
 * A message in flight: the times at which its first and last byte reach the receiver's interface.
 */
struct flight {
	double head, last;
};

/* Sets the parameters of the RDMA form in r. The parameters in *of are in s. */
void rule_set_rdma(struct sim_rule *r, const struct rdma *of);

/*
 * Returns the later of two times. Unlike fmax this function does not handle NaN, so it takes a
 * single instruction.
 */
static inline double rule_later(double a, double b)
{
	return a > b ? a : b;
}

/* The processor starts to post a send at time `now`. Returns the time at which it has finished. */
static inline double rule_post(const struct sim_rule *r, double now)
{
	return now + r->p.o_s;
}

/*
 * The processor starts to ring the doorbell of a batch at time `now`. Returns the time at which it
 * has finished.
 */
static inline double rule_ring(const struct sim_rule *r, double now)
{
	return now + r->rdma.o_db;
}

/*
 * The output port sends a message of len bytes that was posted at time `posted`. Only boards use
 * `lane`. Returns the times at which the message's first and last byte arrive.
 */
struct flight rule_leave(const struct sim_rule *r, struct rank_ports *s, double posted,
			 uint32_t lane, size_t len, const struct harm *harm);

/*
 * The input port receives a message. Returns the time from which the processor can receive the
 * message.
 */
double rule_arrive(const struct sim_rule *r, struct rank_ports *s, struct flight f, size_t len);

/*
 * The processor waits from time `now` for a message that it can receive from time `there` on.
 * Returns the time at which it has received the message.
 */
double rule_receive(const struct sim_rule *r, struct rank_ports *s, double now, double there,
		    uint32_t lane, size_t len);

/*
 * Returns the time at which the sender can see the completion of a message that arrived at time
 * `there`.
 */
double rule_completion_visible(const struct sim_rule *r, double there);
/*
 * Returns the time at which the processor has handled a completion that becomes visible at time
 * `visible`.
 */
double rule_take_completion(const struct sim_rule *r, double now, double visible);

/* Returns F, the time of a message's bytes after the first byte. */
static inline double rule_bytes_time(const struct sim_rule *r, size_t len)
{
	return (len ? (double)(len - 1) : 0) * r->p.G;
}

/* Returns the earliest time at which a message can leave if it is posted at time `now` or later. */
double rule_earliest_departure(const struct sim_rule *r, double now);

/*
 * Returns the earliest time at which a message can arrive if it is posted at time `now` or later.
 */
double rule_earliest_arrival(const struct sim_rule *r, double now);

#endif
