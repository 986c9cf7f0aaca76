/* SPDX-License-Identifier: Apache-2.0 */
/* The types of backend `tcp`. tcp.c moves messages. connect.c makes the connections. */
#ifndef NETBENCH_BACKENDS_TCP_TCP_H
#define NETBENCH_BACKENDS_TCP_TCP_H

#include "net/socket.h"
#include "backends/traffic.h"

/*
 * Size in bytes of the length that precedes each message. The length is in the byte order of the
 * machine.
 */
#define TCP_HEAD sizeof(uint64_t)

/*
 * Bytes of a stage. Each connection has two stages, which are buffers: one for short messages to
 * send, and one for received bytes.
 */
#define TCP_STAGE (64U << 10)

/* Messages of more than this number of bytes are not copied through a stage. */
#define TCP_COPY 4096

/* The kernel's counts of one connection. */
struct tcp_counts {
	uint32_t retransmissions, segments;
};

/* This rank's connection to one rank, which may be itself. */
struct tcp_peer {
	struct partner base;		/* base.sends wait until the bytes in stage_out are sent */
	/*
	 * out: socket for sending. in: socket for receiving. They differ only in a rank's
	 * connection to itself.
	 */
	int out, in;
	unsigned char *stage_out;	/* the bytes [out_at, out_end) are not sent yet */
	uint32_t out_at, out_end;
	unsigned char *stage_in;	/* the bytes [in_at, in_end) are not delivered yet */
	uint32_t in_at, in_end;
	/* the receive whose message has arrived only in part; NULL: none */
	struct request *cur;
	struct tcp_counts before;	/* the kernel's counts at the first reading */
	bool counted;			/* `before` is valid */
};

struct tcp_opts {
	uint64_t wait, sndbuf, rcvbuf, family;
	const char *interface, *address, *congestion;
};

struct tcp {
	struct traffic t;
	const struct tcp_opts *options;
	/*
	 * The data needed to make connections. Without CAP_LOSS it is NULL once the endpoint is
	 * open.
	 */
	struct tcp_mesh *mesh;
	/* sums of the kernel's counts of all connections that have been closed */
	uint64_t closed_retransmissions, closed_segments;
	bool lost;			/* CAP_LOSS: a peer was lost in this round */
	double still_s;			/* clock_wall when bytes last moved; 0: not known yet */
	uint64_t still_B;		/* tcp_bytes_exchanged at the time still_s */
	struct tcp_peer *peers;
	struct tcp_peer *flush;		/* the peer whose messages the next doorbell sends */
	struct pollfd *polled;
	/* number of sends that doorbells have completed since the latest poll */
	int early;
	bool failed;			/* a doorbell has failed */
	char (*host)[64];		/* host name of every rank */
	/* number of strangers' connections refused before free_mesh was called */
	unsigned strangers;
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
