/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of backend `tcp`. */
#ifndef NETBENCH_BACKENDS_TCP_CONNECT_H
#define NETBENCH_BACKENDS_TCP_CONNECT_H

#include "backends/tcp/tcp.h"

/*
 * Connects this rank to itself and, without CAP_LOSS, to all other ranks. With CAP_LOSS each round
 * makes the other connections that it needs. Returns ST_OK, or another exit status (reported).
 * Collective.
 */
int tcp_connect(struct tcp *t);

/*
 * Returns the number of connections that this rank has refused because they came from strangers:
 * processes that do not know the run's key.
 */
unsigned tcp_count_strangers(const struct tcp *t);

/* Closes all connections and frees the mesh. */
void tcp_close_all(struct tcp *t);

/* Returns the kernel's counts of p's connection. If the connection is closed, returns p->before. */
struct tcp_counts tcp_read_counts(const struct tcp_peer *p);

/*
 * Returns the number of bytes exchanged on a connection: received bytes plus sent bytes that are
 * acknowledged. Returns 0 if the connection is closed.
 */
uint64_t tcp_bytes_exchanged(const struct tcp_peer *p);

/* Returns true if two addresses are equal. Their ports may differ. */
static inline bool addr_equal(const struct addr *a, const struct addr *b)
{
	return addr_same_net(a, b, b->a.ss_family == AF_INET ? 32 : 128);
}

/*
 * CAP_LOSS. Connects this rank to its peers of a round. The peers must call this function too.
 * Closes connections that the round does not need. Returns ST_OK, ST_LOST, or ST_FAILED (reported).
 */
int tcp_connect_round(struct tcp *t, const struct round *r);

/*
 * CAP_LOSS. Closes all connections and drops their messages. Keeps this rank's connection to
 * itself.
 */
void tcp_disconnect(struct tcp *t);

#endif
