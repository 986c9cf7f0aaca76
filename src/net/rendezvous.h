/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets the ranks of a job find each other. A rank to which others connect, often rank 0, opens a
 * meeting on a listening socket. The other ranks connect as guests. A guest must prove within
 * HANDSHAKE_PATIENCE_S that it knows the secret (handshake.h). The meeting admits such guests and
 * drops all others. It records which ranks have arrived. No guest delays another.
 */
#ifndef NETBENCH_NET_RENDEZVOUS_H
#define NETBENCH_NET_RENDEZVOUS_H

#include <stdatomic.h>

#include "net/handshake.h"

/* A guest that has proven that it knows the secret. */
struct guest {
	int fd;			/* socket, until the guest has got its answer */
	struct channel channel;	/* the connection, once the guest is admitted */
	int rank;		/* rank for which the guest asks; -1: any */
	char host[64];		/* host name that the guest has sent */
	char from[ADDR_TEXT];	/* the guest's address */
	struct handshake handshake;	/* what was sent so far; needed for the answer */
};

/*
 * Opens a meeting on a listening socket, and takes over the socket. The meeting admits each rank
 * from `first` to end - 1 once. Returns NULL (reported) if memory is short or libsodium does not
 * work.
 */
NETBENCH_EXPORT struct meeting *meeting_open(int fd, const struct secret *s, int first, int end);
NETBENCH_EXPORT void meeting_close(struct meeting *m);

/* From now on the meeting sends this offer of the secret (net/munge.h) to each guest. */
void meeting_offer_secret(struct meeting *m, const char offer[MUNGE_OFFER]);

/*
 * meeting_fd returns the listening socket, for poll. meeting_pending returns true if a connected
 * guest waits for its answer.
 */
int meeting_fd(const struct meeting *m);
bool meeting_pending(const struct meeting *m);

/*
 * If the most recent guest could not be accepted for lack of a file descriptor, returns the end of
 * a message, such as ": Too many open files". Otherwise returns "".
 */
const char *meeting_file_shortage(const struct meeting *m);

/*
 * Waits for the next guest that knows the secret. Returns 1 and sets *g to the guest, or returns 0
 * at the deadline. Warns of guests that do not know the secret.
 */
int meeting_next(struct meeting *m, double deadline, struct guest *g);

/*
 * Waits for the next guest that knows the secret and can have the rank for which it asks. Admits
 * this guest: sets g->rank to its rank and g->channel to the connection. If `data` is not NULL,
 * sends the guest a frame with `len` bytes of data. Returns 1, or 0 at the deadline. Warns of
 * guests that it does not admit.
 */
NETBENCH_EXPORT int meeting_admit_guest(struct meeting *m, double deadline, const void *data,
				 uint32_t len, struct guest *g);

/* Refuses all guests that have connected so far, because the run has begun. */
void meeting_refuse_late(struct meeting *m);

/*
 * Returns the address of the counter of refused connections. The address is valid until
 * meeting_close.
 */
NETBENCH_EXPORT const atomic_uint *meeting_refused_count(const struct meeting *m);

/* Frees the number of an admitted rank that has disconnected, so that another guest can have it. */
void meeting_free_rank(struct meeting *m, int rank);

#endif
