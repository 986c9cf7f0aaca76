/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of backend `tcp`. */
#ifndef NETBENCH_BACKENDS_TCP_CONNECT_H
#define NETBENCH_BACKENDS_TCP_CONNECT_H

#include "backends/tcp/tcp.h"

/*
 * Connects this rank with itself, and with all others unless rounds are to do that (CAP_LOSS).
 * ST_OK or an exit status (reported). Collective.
 */
int tcp_connect(struct tcp *t);

/* How many connections of strangers this rank has refused. */
unsigned tcp_strangers(const struct tcp *t);

/* Closes all connections and the mesh. */
void tcp_close_all(struct tcp *t);

/* The kernel's counts of a connection; the counts first read if it is closed. */
struct tcp_counts tcp_counts_of(const struct tcp_peer *p);

/* Bytes that each side of a connection has received from the other, added up; 0 if it is closed. */
uint64_t tcp_bytes_of(const struct tcp_peer *p);

static inline bool addr_same(const struct addr *a, const struct addr *b)
{
	return addr_same_net(a, b, b->a.ss_family == AF_INET ? 32 : 128);
}

/*
 * CAP_LOSS. Connects this rank with the peers of a round; they do the same at that time. Closes
 * other connections. ST_OK, ST_LOST, or ST_FAILED (reported).
 */
int tcp_connect_round(struct tcp *t, const struct round *r);

/* CAP_LOSS. Closes all connections except the one with itself, and drops their messages. */
void tcp_disconnect(struct tcp *t);

#endif
