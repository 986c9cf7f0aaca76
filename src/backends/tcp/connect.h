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

/* Closes all that there is. */
void tcp_close_all(struct tcp *t);

/* What the kernel has counted of a connection; of none zeros. */
struct tcp_counts tcp_counts_of(const struct tcp_peer *p);

/* Bytes that the two sides of a connection have got from each other. */
uint64_t tcp_bytes_of(const struct tcp_peer *p);

static inline bool addr_same(const struct addr *a, const struct addr *b)
{
	return addr_same_net(a, b, b->a.ss_family == AF_INET ? 32 : 128);
}

/*
 * CAP_LOSS. Connects this rank with the peers of a round, as they do with it at the same time, and
 * closes what the round does not need. ST_OK, ST_LOST, or ST_FAILED (reported).
 */
int tcp_connect_round(struct tcp *t, const struct round *r);

/* CAP_LOSS. Closes all connections but that with itself, and what was under way on them. */
void tcp_disconnect(struct tcp *t);

#endif
