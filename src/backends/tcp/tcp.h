/* SPDX-License-Identifier: Apache-2.0 */
/* The types of backend `tcp`: tcp.c moves messages, connect.c makes the connections. */
#ifndef NETBENCH_BACKENDS_TCP_TCP_H
#define NETBENCH_BACKENDS_TCP_TCP_H

#include "net/socket.h"
#include "backends/traffic.h"

/* Each message is preceded by its length, 8 bytes in the byte order of the machine. */
#define TCP_HEAD sizeof(uint64_t)

/* Bytes of each of a connection's two stages: before messages are sent, and after they come. */
#define TCP_STAGE (64U << 10)

/* Longer messages go directly from and to the user's memory. */
#define TCP_COPY 4096

struct tcp_counts {
	uint32_t retransmissions, segments;
};

/* One rank's state for another rank. */
struct tcp_peer {
	struct partner base;		/* its sends are behind the stage */
	int out, in;			/* sockets; the same unless the rank is itself */
	unsigned char *stage_out;	/* [out_at, out_end) is still to be sent */
	uint32_t out_at, out_end;
	unsigned char *stage_in;	/* [in_at, in_end) has come and has no receive yet */
	uint32_t in_at, in_end;
	struct request *cur;		/* the receive of the message that is arriving */
	struct tcp_counts before;	/* the kernel's counts when first read */
	bool counted;
};

struct tcp_opts {
	uint64_t wait, sndbuf, rcvbuf, family;
	const char *interface, *address, *congestion;
};

struct tcp {
	struct traffic t;
	const struct tcp_opts *options;
	struct tcp_mesh *mesh;		/* CAP_LOSS: how to connect a pair; else NULL */
	/* counts of connections that are closed again */
	uint64_t closed_retransmissions, closed_segments;
	bool lost;			/* a peer, in this round: CAP_LOSS alone */
	double still_s;			/* clock_wall since which nothing moves; 0: not yet known */
	uint64_t still_B;		/* tcp_bytes_of the connection at that time */
	struct tcp_peer *peers;
	struct tcp_peer *flush;		/* has messages for the next doorbell */
	struct pollfd *polled;
	int early;			/* sends completed by doorbells since the last poll */
	bool failed;			/* a doorbell has failed */
	char (*host)[64];		/* of every rank */
	unsigned strangers;		/* connections refused until the door was closed */
};

static inline struct tcp *tcp_of(struct endpoint *ep)
{
	return (struct tcp *)ep;
}

static inline struct tcp_peer *active_peer(const struct tcp *t, uint32_t i)
{
	return (struct tcp_peer *)t->t.active[i];
}

#define TCP_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_EACH | CAP_FLOW | CAP_LOSS)

#endif
