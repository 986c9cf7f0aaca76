/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a simulated rank waits for beside messages, in the RDMA form: completions of its sends and
 * reads. Times are ns.
 */
#ifndef NETBENCH_BACKENDS_SIM_ACKS_H
#define NETBENCH_BACKENDS_SIM_ACKS_H

#include <stdint.h>

struct request;

struct ack {
	struct ack *next;
	int owner, peer;		/* the rank that waits, and where its message goes */
	uint32_t count;			/* transfers that it completes; 0: it is not signalled */
	double head, visible;		/* of the message at the peer; of the completion */
	struct request *request;	/* that is then done; may be NULL */
};

/* Messages that are on their way, in the order of their heads, and completions by time. */
struct acks {
	struct ack *sent, **last_sent, *visible;
	double latest;			/* head of the last one sent */
};

/* Adds the ack of a message that has left. */
void acks_sent(struct acks *a, struct ack *ack);

/* The head of such a message comes later than it did. */
void acks_delay(struct acks *a, struct ack *ack, double head);

/* The message is there. Takes its ack out of those that are on their way. */
void acks_arrived(struct acks *a, struct ack *ack);

/* Adds a completion. */
void acks_visible(struct acks *a, struct ack *ack);

/* Frees all of them. */
void acks_free(struct acks *a);

#endif
