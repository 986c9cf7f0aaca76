/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages and receives of a simulated rank. A message is "coming" while it is in flight to the
 * rank. It is "here" after it has arrived, until the rank receives it. Messages from one rank stay
 * in order. Messages from several ranks are received in the order in which their heads arrive; if
 * two arrive at the same time, the lower sender comes first.
 */
#ifndef NETBENCH_BACKENDS_SIM_MAIL_H
#define NETBENCH_BACKENDS_SIM_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/sim/rule.h"
#include "transport/match.h"

/* number of bytes of a message's content that the simulation carries */
#define MAIL_CONTENT 64

/*
 * REQUEST asks for the bytes of a read, and ANSWER brings them. The interfaces handle these two
 * kinds; the processors do not receive them.
 */
enum message_kind { MESSAGE, REQUEST, ANSWER };

struct message {
	struct message *next;
	/*
	 * After the message has arrived (`here`), flight.last is the time from which the processor
	 * can receive it.
	 */
	struct flight flight;
	size_t len;
	uint32_t lane;
	uint8_t kind;			/* enum message_kind */
	/*
	 * True until the message has passed all shared links. Until then, flight.head is the
	 * earliest time at which the head can arrive.
	 */
	bool crossing;
	/* the completion that the message's arrival causes; NULL: none */
	struct ack *ack;
	/* all bytes of the message; NULL: only `content`, its first bytes, is carried */
	unsigned char *whole;
	union {
		unsigned char content[MAIL_CONTENT];
		struct {
			const void *from;
			void *to;
		} read;
	};
};

/* A queue of messages. */
struct message_list {
	struct message *first, **last;
};

/* Adds a message at the end. */
void messages_add(struct message_list *l, struct message *m);
/* Calls `message` for each message. That function must free the message. */
void messages_free(struct message_list *l, void (*message)(struct message *));

/* The messages from one rank, and the receives that wait for that rank. */
struct mailbox {
	int src;
	/* this box's positions in the heaps mail.coming and mail.here */
	uint32_t at[2];
	struct message_list coming, here;
	struct queue posted;		/* receives from this rank */
	bool expected;			/* mail_expect_from was called for this box */
};

/* All messages and receives of one rank. A zeroed struct is empty. */
struct mail {
	/* hash table of boxes by `src`, with open addressing; `room` is a power of two */
	struct mailbox **boxes;
	uint32_t nboxes, room;
	/*
	 * Two heaps of boxes, each with the earliest head first. coming: boxes with messages in
	 * flight. here: boxes with messages that have arrived.
	 */
	struct mailbox **coming, **here;
	uint32_t ncoming, nhere;
	/*
	 * nexpected: number of expected boxes. nsilent: number of expected boxes without a coming
	 * message.
	 */
	uint32_t nexpected, nsilent;
	struct match match;
};

/*
 * Returns the box for messages from one rank. Creates the box on first use. Returns NULL if there
 * is no memory.
 */
struct mailbox *mail_find_box(struct mail *m, int src);

/*
 * mail_expect_from adds a rank to the expected ranks. From then on only expected ranks send to this
 * rank. mail_expect_any ends this: any rank may send again.
 */
void mail_expect_from(struct mail *m, struct mailbox *from);
void mail_expect_any(struct mail *m);

/*
 * Returns true if each expected rank has a coming message. Then the earliest coming message is
 * certain to be the next one: no message sent later can arrive before it.
 */
static inline bool mail_is_next_certain(const struct mail *m)
{
	return m->nexpected && !m->nsilent;
}

/* Adds a message to the coming messages of a box. */
void mail_add_coming(struct mail *m, struct mailbox *from, struct message *message);

/*
 * Returns the box whose coming message has the earliest head. Returns NULL if no message is coming.
 */
static inline struct mailbox *mail_next_coming(const struct mail *m)
{
	return m->ncoming ? m->coming[0] : NULL;
}

/*
 * Restores the order of the heap `coming`. Call this function after the head of the box's first
 * coming message has moved to a later time.
 */
void mail_delay(struct mail *m, struct mailbox *from);

/* Removes and returns the coming message with the earliest head. There must be one. */
struct message *mail_remove_coming(struct mail *m);

/* Adds a message to the box's messages that have arrived (`here`). */
void mail_add_here(struct mail *m, struct mailbox *from, struct message *message);

/* Posts a receive for messages of the box's rank, or of any rank if `from` is NULL. */
void mail_post_recv(struct mail *m, struct mailbox *from, struct request *r);

/*
 * Returns true if the next message of the box is wanted, that is, if a posted receive matches it.
 */
bool mail_is_wanted(const struct mail *m, const struct mailbox *from);

/*
 * Both functions return the box with the earliest wanted message: mail_wanted_here among messages
 * that have arrived, mail_wanted_coming among coming messages. Both return NULL if there is no
 * wanted message.
 */
struct mailbox *mail_wanted_here(const struct mail *m);
struct mailbox *mail_wanted_coming(const struct mail *m);

/*
 * Removes and returns the box's first message that has arrived. A posted receive must match this
 * message. Stores the receive in *r.
 */
struct message *mail_receive(struct mail *m, struct mailbox *from, struct request **r);

/*
 * Calls `message` for each remaining message, and `receive` for each remaining posted receive.
 * Frees everything else.
 */
void mail_free(struct mail *m, void (*message)(struct message *),
	       void (*receive)(struct request *));

#endif
