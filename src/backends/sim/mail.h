/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated rank's messages: on their way to it, and there but not yet taken; and its receives.
 * Messages from one rank stay in order. Those from several are taken in the order of their heads,
 * then of their senders.
 */
#ifndef NETBENCH_BACKENDS_SIM_MAIL_H
#define NETBENCH_BACKENDS_SIM_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/sim/rule.h"
#include "transport/match.h"

#define MAIL_CONTENT 64		/* bytes of a message that are carried */

/* A request is of a read, its answer brings the bytes; the processors do not take them. */
enum message_kind { MESSAGE, REQUEST, ANSWER };

struct message {
	struct message *next;
	struct flight flight;		/* once here, .last is when the processor can have it */
	size_t len;
	uint32_t lane;
	uint8_t kind;			/* enum message_kind */
	bool crossing;			/* before a shared link; .head is the earliest possible */
	struct ack *ack;		/* what its arrival completes; NULL: nothing */
	union {
		unsigned char content[MAIL_CONTENT];
		struct {
			const void *from;
			void *to;
		} read;
	};
};

/* Messages in order. */
struct letters {
	struct message *first, **last;
};

/* Adds one at the end; gives each to the caller. */
void letters_add(struct letters *l, struct message *m);
void letters_free(struct letters *l, void (*message)(struct message *));

/* What comes from one rank. */
struct mailbox {
	int src;
	uint32_t at[2];			/* places in the mail's heaps */
	struct letters coming, here;
	struct queue posted;		/* receives from this rank */
	bool expected;			/* see mail_expect */
};

/* A zeroed struct has no mail. */
struct mail {
	struct mailbox **boxes;		/* open addressing by src; room is a power of two */
	uint32_t nboxes, room;
	/* boxes with messages on their way, and with such that are here; the first one on top */
	struct mailbox **coming, **here;
	uint32_t ncoming, nhere;
	uint32_t nexpected, nsilent;	/* expected boxes; those with nothing on its way */
	struct match match;
};

/* The box of one source, made on first use; NULL without memory. */
struct mailbox *mail_box(struct mail *m, int src);

/*
 * Messages come from the ranks that are expected, and from no others, until mail_forget. Then any
 * rank may send again.
 */
void mail_expect(struct mail *m, struct mailbox *from);
void mail_forget(struct mail *m);

/* True if each expected rank has a message on its way: none still to be sent comes first. */
static inline bool mail_is_sure(const struct mail *m)
{
	return m->nexpected && !m->nsilent;
}

/* Sends a message on its way. */
void mail_send(struct mail *m, struct mailbox *from, struct message *message);

/* The box whose message's head comes first of all that are on their way; NULL: none is. */
static inline struct mailbox *mail_next(const struct mail *m)
{
	return m->ncoming ? m->coming[0] : NULL;
}

/* The head of a message in the box, which is on its way, comes later than it did. */
void mail_delay(struct mail *m, struct mailbox *from);

/* Takes that message off its way. */
struct message *mail_arrive(struct mail *m);

/* A message from the rank of a box is here. */
void mail_keep(struct mail *m, struct mailbox *from, struct message *message);

/* Posts a receive from the rank of a box, or, NULL, from any rank. */
void mail_post(struct mail *m, struct mailbox *from, struct request *r);

/* True if a receive is posted that the next message of the box matches. */
bool mail_is_wanted(const struct mail *m, const struct mailbox *from);

/* The box with the first wanted message that is here, or that is on its way; NULL: none is. */
struct mailbox *mail_wanted_here(const struct mail *m);
struct mailbox *mail_wanted_coming(const struct mail *m);

/* Takes out the first message here of a box, which is wanted, and its receive. */
struct message *mail_take(struct mail *m, struct mailbox *from, struct request **r);

/* Gives each message and each posted receive that is left to the caller, and frees the rest. */
void mail_free(struct mail *m, void (*message)(struct message *),
	       void (*receive)(struct request *));

#endif
