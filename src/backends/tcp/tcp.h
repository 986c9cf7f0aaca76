/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by tcp.c, which moves messages, and open.c, which makes the connections. */
#ifndef NETBENCH_BACKENDS_TCP_TCP_H
#define NETBENCH_BACKENDS_TCP_TCP_H

#include "job/job.h"
#include "transport/backend.h"
#include "transport/match.h"
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
};

static inline struct tcp *tcp_of(struct endpoint *ep)
{
	return (struct tcp *)ep;
}

#define TCP_CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_MSG | CAP_ANY | \
		  CAP_CONTENT | CAP_EACH | CAP_FLOW)

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

#endif
