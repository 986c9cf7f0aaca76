/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acks: the completions of a simulated rank's sends and reads, in the RDMA form. A rank waits for
 * acks as well as for messages. Times are in ns.
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
	/* number of transfers that the ack completes; 0: the message is not signalled */
	uint32_t count;
	/*
	 * head: the time at which the message's head reaches the peer. visible: the time from which
	 * the owner can see the completion.
	 */
	double head, visible;
	struct request *request;	/* the request that the ack completes; may be NULL */
};

/*
 * The acks of one rank. `sent`: acks of messages in flight, sorted by `head`. `visible`: visible
 * completions, sorted by time.
 */
struct acks {
	struct ack *sent, **last_sent, *visible;
	double latest;			/* `head` of the final ack in `sent` */
};

/* Adds the ack of a message that has left its sender. */
void acks_add_sent(struct acks *a, struct ack *ack);

/* Moves the head of a message in flight to the later time `head`. */
void acks_delay(struct acks *a, struct ack *ack, double head);

/* Removes an ack from `sent`. Call this function when the ack's message has arrived. */
void acks_remove_sent(struct acks *a, struct ack *ack);

/* Adds an ack to `visible`. The owner can see its completion from ack->visible on. */
void acks_add_visible(struct acks *a, struct ack *ack);

/* Frees all acks. */
void acks_free(struct acks *a);

#endif
