/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages and receives of a simulated rank. A message is "coming" while it is in flight to the
 * rank. It is "here" after it has arrived, until the rank receives it. Messages from one rank stay
 * in order. Messages from several ranks are received in the order of their heads, then of their
 * senders' numbers.
 */
#ifndef NETBENCH_BACKENDS_SIM_MAIL_H
#define NETBENCH_BACKENDS_SIM_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/sim/rule.h"
#include "transport/match.h"

#define MAIL_CONTENT 64		/* bytes of a message's content that are carried */

/*
 * REQUEST: asks for the bytes of a read. ANSWER: brings them. The processors do not receive these
 * two kinds.
 */
enum message_kind { MESSAGE, REQUEST, ANSWER };

struct message {
	struct message *next;
	/* once it is here, .last is when the processor can receive it */
	struct flight flight;
	size_t len;
	uint32_t lane;
	uint8_t kind;			/* enum message_kind */
	/* it has yet to pass a shared link; .head is the earliest time possible */
	bool crossing;
	struct ack *ack;		/* the completion that its arrival causes; NULL: none */
	unsigned char *whole;		/* all of its bytes; NULL: `content` has the first bytes */
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
/* Calls `message` for each message, which has to free it. */
void messages_free(struct message_list *l, void (*message)(struct message *));

/* Messages from one rank, and receives from it. */
struct mailbox {
	int src;
	uint32_t at[2];			/* its positions in the heaps mail.coming and mail.here */
	struct message_list coming, here;
	struct queue posted;		/* receives from this rank */
	bool expected;			/* see mail_expect_from */
};

/* All messages and receives of one rank. A zeroed struct is empty. */
struct mail {
	/* hash table by src with open addressing; room is a power of two */
	struct mailbox **boxes;
	uint32_t nboxes, room;
	/*
	 * heaps of the boxes with messages coming, and of those with messages here; earliest head
	 * first
	 */
	struct mailbox **coming, **here;
	uint32_t ncoming, nhere;
	/* number of expected boxes; number of those without a message coming */
	uint32_t nexpected, nsilent;
	struct match match;
};

/* Returns the box of one source. Creates it on first use. Returns NULL without memory. */
struct mailbox *mail_find_box(struct mail *m, int src);

/*
 * After mail_expect_from, messages come only from the expected ranks, until mail_expect_any. After
 * that, any rank may send again.
 */
void mail_expect_from(struct mail *m, struct mailbox *from);
void mail_expect_any(struct mail *m);

/*
 * Returns true if each expected rank has a message coming. Then no message that is sent later can
 * come before the first of these.
 */
static inline bool mail_is_next_certain(const struct mail *m)
{
	return m->nexpected && !m->nsilent;
}

/* Adds a message to the coming ones. */
void mail_add_coming(struct mail *m, struct mailbox *from, struct message *message);

/* Returns the box whose coming message has the earliest head, or NULL if none is coming. */
static inline struct mailbox *mail_next_coming(const struct mail *m)
{
	return m->ncoming ? m->coming[0] : NULL;
}

/* Call this after the head of the box's first coming message has moved to a later time. */
void mail_delay(struct mail *m, struct mailbox *from);

/* Removes and returns the coming message with the earliest head. There must be one. */
struct message *mail_remove_coming(struct mail *m);

/* Adds a message to the box's messages that are here. */
void mail_add_here(struct mail *m, struct mailbox *from, struct message *message);

/* Posts a receive from the box's rank, or from any rank if `from` is NULL. */
void mail_post_recv(struct mail *m, struct mailbox *from, struct request *r);

/* Returns true if a posted receive matches the next message of the box. */
bool mail_is_wanted(const struct mail *m, const struct mailbox *from);

/* Return the box with the earliest wanted message that is here, or that is coming; or NULL. */
struct mailbox *mail_wanted_here(const struct mail *m);
struct mailbox *mail_wanted_coming(const struct mail *m);

/*
 * Removes and returns the box's first message that is here. *r is the receive that matches it,
 * which must exist.
 */
struct message *mail_receive(struct mail *m, struct mailbox *from, struct request **r);

/*
 * Calls `message` and `receive` for each message and posted receive that is left. Frees everything
 * else.
 */
void mail_free(struct mail *m, void (*message)(struct message *),
	       void (*receive)(struct request *));

#endif
