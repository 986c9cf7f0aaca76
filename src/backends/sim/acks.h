/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acks: the completions of a simulated rank's sends and reads, in the RDMA form. A rank waits for
 * them as well as for messages. Times in ns.
 */
#ifndef NETBENCH_BACKENDS_SIM_ACKS_H
#define NETBENCH_BACKENDS_SIM_ACKS_H

#include <stdint.h>

struct request;

/* The completion of a message. */
struct ack {
	struct ack *next;
	/*
	 * owner: the rank that waits for the completion. peer: the rank that receives the message.
	 */
	int owner, peer;
	/* number of transfers that it completes; 0: the message is not signalled */
	uint32_t count;
	/*
	 * head: when the message's head reaches the peer. visible: when the owner can see the
	 * completion.
	 */
	double head, visible;
	struct request *request;	/* the request that it completes; may be NULL */
};

/*
 * One rank's acks. `sent`: those of messages in flight, sorted by `head`. `visible`: visible
 * completions, sorted by time.
 */
struct acks {
	struct ack *sent, **last_sent, *visible;
	double latest;			/* `head` of the last ack in `sent` */
};

/* Adds the ack of a message that has left its sender. */
void acks_add_sent(struct acks *a, struct ack *ack);

/* Moves the head of a message in flight to the later time `head`. */
void acks_delay(struct acks *a, struct ack *ack, double head);

/*
 * Removes a message's ack from those of messages in flight. Call this when the message has arrived.
 */
void acks_remove_sent(struct acks *a, struct ack *ack);

/* Adds a visible completion. */
void acks_add_visible(struct acks *a, struct ack *ack);

/* Frees all acks. */
void acks_free(struct acks *a);

#endif
