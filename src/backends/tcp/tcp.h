/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by tcp.c, which moves messages, connect.c, which makes the connections, and open.c. */
#ifndef NETBENCH_BACKENDS_TCP_TCP_H
#define NETBENCH_BACKENDS_TCP_TCP_H

#include "job/job.h"
#include "transport/backend.h"
#include "transport/match.h"
#include "net/socket.h"
#include "net/wait.h"

/* Before each message on a connection: its length, 8 bytes in the order of the machine. */
#define TCP_HEAD sizeof(uint64_t)

/* Bytes per connection for sent messages before their system call, and for received ones. */
#define TCP_STAGE (64U << 10)

/* Longer messages go directly from and to the user's memory. */
#define TCP_COPY 4096

struct tcp_counts {
	uint32_t retransmissions, segments;
};

/* One rank's state for another rank. */
struct tcp_peer {
	int out, in;			/* sockets; the same unless the rank is itself */
	bool active;			/* listed in tcp.active */
	unsigned char *stage_out;	/* [out_at, out_end) is still to be sent */
	uint32_t out_at, out_end;
	unsigned char *stage_in;	/* [in_at, in_end) has come and has no receive yet */
	uint32_t in_at, in_end;
	struct queue sends;		/* not entirely handed to the kernel; behind the stage */
	struct queue recvs;
	struct request *cur;		/* the receive of the message that is arriving */
	struct tcp_counts before;	/* the kernel's counts when first read */
	bool counted;
};

struct tcp {
	struct endpoint ep;
	const struct tcp_opts *options;
	struct tcp_mesh *mesh;		/* CAP_LOSS: how to connect a pair; else NULL */
	/* of connections that are closed again */
	uint64_t closed_retransmissions, closed_segments;
	bool lost;			/* a peer, in this round: CAP_LOSS alone */
	double still_s;			/* clock_wall since nothing moves; 0: not looked at yet */
	uint64_t still_B;		/* that the other side had then, and this one */
	struct tcp_peer *peers, **active;
	uint32_t nactive;
	struct tcp_peer *flush;		/* has messages that no system call has sent yet */
	struct match match;
	struct pool pool;
	struct pollfd *polled;
	struct patience patience;
	uint64_t idle;			/* polls in a row that found nothing */
	bool moved;			/* the last poll moved something */
	int early;			/* sends completed by doorbells since the last poll */
	bool failed;			/* a doorbell has failed */
	char (*host)[64];		/* of every rank */
	unsigned strangers;		/* refused by a door that is closed */
};

static inline struct tcp *tcp_of(struct endpoint *ep)
{
	return (struct tcp *)ep;
}

#define TCP_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_EACH | CAP_FLOW | CAP_LOSS)

/* The options, and the hooks in open.c. */
extern const struct opt tcp_options[];
struct tcp_opts {
	uint64_t wait, sndbuf, rcvbuf, family;
	const char *interface, *address, *congestion;
};
int tcp_probe(const void *options, char *why, size_t len);
int tcp_check(void *options, const struct arguments *given, int nranks);
int tcp_open_endpoint(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void tcp_close(struct endpoint *ep);
void tcp_describe(struct endpoint *ep, struct facts *f);
int tcp_counters(struct endpoint *ep, struct counter *c);

/* ---- connect.c ---- */

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
