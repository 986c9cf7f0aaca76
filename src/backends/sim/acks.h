/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completions of a simulated rank's sends and reads, in the RDMA form. The rank waits for them in
 * addition to messages. Times in ns.
 */
#ifndef NETBENCH_BACKENDS_SIM_ACKS_H
#define NETBENCH_BACKENDS_SIM_ACKS_H

#include <stdint.h>

struct request;

/* The completion of a message. */
struct ack {
	struct ack *next;
	int owner, peer;		/* the waiting rank; the rank that receives the message */
	uint32_t count;			/* transfers that it completes; 0: it is not signalled */
	/* when the message's head reaches the peer; when the owner can see the completion */
	double head, visible;
	struct request *request;	/* request that it completes; may be NULL */
};

/*
 * One rank's acks: those of messages in flight, in the order of their heads, and visible
 * completions in the order of time.
 */
struct acks {
	struct ack *sent, **last_sent, *visible;
	double latest;			/* head of the last one in `sent` */
};

/* Adds the ack of a message that has left its sender. */
void acks_add_sent(struct acks *a, struct ack *ack);

/* Moves the head of a message in flight to a later time. */
void acks_delay(struct acks *a, struct ack *ack, double head);

/* Call this when the message has arrived. Removes its ack from those of messages in flight. */
void acks_remove_sent(struct acks *a, struct ack *ack);

/* Adds a visible completion. */
void acks_add_visible(struct acks *a, struct ack *ack);

/* Frees all acks. */
void acks_free(struct acks *a);

#endif
