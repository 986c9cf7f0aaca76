/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the ranks of a job find each other. Rank 0, or any rank that others connect to, listens at a
 * meeting. Others connect as guests. The meeting admits only guests that know the secret
 * (handshake.h), and records which ranks have arrived. It drops other guests, and guests that do
 * not prove themselves within HANDSHAKE_PATIENCE_S. No guest delays another.
 */
#ifndef NETBENCH_NET_RENDEZVOUS_H
#define NETBENCH_NET_RENDEZVOUS_H

#include <stdatomic.h>

#include "net/handshake.h"

/* A guest that has proven to know the secret. */
struct guest {
	int fd;			/* socket, until the guest is answered */
	struct channel channel;	/* the connection, once the guest is admitted */
	int rank;		/* rank that it asks for; -1: any */
	char host[64];		/* host name that it has sent */
	char from[ADDR_TEXT];	/* its address */
	struct handshake handshake;	/* needed for the answer */
};

/*
 * Opens a meeting on a listening socket, which it takes over. It admits each rank from `first` to
 * end - 1 once. Returns NULL (reported) if memory is short or libsodium does not work.
 */
NETBENCH_EXPORT struct meeting *meeting_open(int fd, const struct secret *s, int first, int end);
NETBENCH_EXPORT void meeting_close(struct meeting *m);

/* From now on each guest is offered the secret (net/munge.h). */
void meeting_offer_secret(struct meeting *m, const char offer[MUNGE_OFFER]);

/*
 * meeting_fd returns the listening socket, for poll. meeting_pending returns true if a guest has
 * connected and waits for an answer.
 */
int meeting_fd(const struct meeting *m);
bool meeting_pending(const struct meeting *m);

/*
 * Returns why no guest can be admitted at the moment, ": Too many open files" for example; "" if
 * guests can be admitted.
 */
const char *meeting_file_shortage(const struct meeting *m);

/*
 * Waits for the next guest that knows the secret. Returns 1 with the guest in *g, or 0 at the
 * deadline. Warns of other guests.
 */
int meeting_next(struct meeting *m, double deadline, struct guest *g);

/*
 * Waits for the next guest that can have the rank it asks for, and admits it. If `data` is not
 * NULL, sends the guest a frame with `len` bytes of data. g->rank is its rank, and g->channel the
 * connection to it. Returns and warns as meeting_next does.
 */
NETBENCH_EXPORT int meeting_admit_guest(struct meeting *m, double deadline, const void *data,
				 uint32_t len, struct guest *g);

/* Refuses all guests that have connected by now, because the run has begun. */
void meeting_refuse_late(struct meeting *m);

/*
 * Returns the address of the number of connections refused so far, for any reason. Valid until
 * meeting_close.
 */
NETBENCH_EXPORT const atomic_uint *meeting_refused_count(const struct meeting *m);

/* Makes the number of an admitted rank free again, after that rank has disconnected. */
void meeting_free_rank(struct meeting *m, int rank);

#endif
