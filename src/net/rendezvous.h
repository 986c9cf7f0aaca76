/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the ranks of a job find each other. Rank 0, or another rank that ranks connect to, listens.
 * It lets in only guests that know the secret (handshake.h), and records which ranks have come. It
 * drops other guests, and guests that do not prove themselves within HANDSHAKE_PATIENCE_S; none of
 * them delays others.
 */
#ifndef NETBENCH_NET_RENDEZVOUS_H
#define NETBENCH_NET_RENDEZVOUS_H

#include <stdatomic.h>

#include "net/handshake.h"

/* A guest that knows the secret. */
struct guest {
	int fd;			/* until it is answered */
	struct channel channel;	/* once it is welcome */
	int rank;		/* that it asks for; -1: any */
	char host[64];		/* its host name, as it says */
	char from[ADDR_TEXT];
	struct handshake handshake;	/* its answer needs it */
};

/*
 * Opens a meeting on a listening socket, which it then owns, that awaits each rank from `first` to
 * end - 1 once. NULL (reported) without memory or libsodium.
 */
NETBENCH_EXPORT struct meeting *meeting_open(int fd, const struct secret *s, int first, int end);
NETBENCH_EXPORT void meeting_close(struct meeting *m);

/* From here on each guest is offered the secret (net/munge.h). */
void meeting_offer(struct meeting *m, const char offer[MUNGE_OFFER]);

/* The listening socket, for poll; and whether a guest has connected and waits for an answer. */
int meeting_fd(const struct meeting *m);
bool meeting_pending(const struct meeting *m);

/* Why guests cannot be let in at the moment, ": Too many open files"; "": they can. */
const char *meeting_lacks(const struct meeting *m);

/* The next guest that knows the secret: 1, in *g; 0: none by the deadline. Warns of others. */
int meeting_next(struct meeting *m, double deadline, struct guest *g);

/*
 * The next guest that can have the rank it asks for. The guest learns that. If `rest` is not NULL
 * it gets a frame of the `more` bytes there. g->rank is its rank, and g->channel leads to it.
 * Results and warnings as of meeting_next.
 */
NETBENCH_EXPORT int meeting_seat(struct meeting *m, double deadline, const void *rest,
				 uint32_t more, struct guest *g);

/* Refuses all guests that have come by now, because the run has begun. */
void meeting_turn_away(struct meeting *m);

/* How many connections it has refused so far, for whatever reason; valid until meeting_close. */
NETBENCH_EXPORT const atomic_uint *meeting_refused(const struct meeting *m);

/* Awaits a rank again that had come and is gone. */
void meeting_leave(struct meeting *m, int rank);

#endif
