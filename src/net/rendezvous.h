/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections between processes that know a common secret, on a network where anyone may knock. The host
 * sends a nonce, the guest answers with one of its own and the HMAC-SHA256 of both under the secret, and
 * the host proves in turn that it knows it. Nothing of the secret crosses the network, nothing can be
 * replayed, MACs are compared in constant time. What does not speak the protocol, or not within
 * MEET_PATIENCE_S, is dropped; it delays nobody.
 */
#ifndef NETBENCH_NET_RENDEZVOUS_H
#define NETBENCH_NET_RENDEZVOUS_H

#include <stdint.h>

#include "base/export.h"
#include "net/socket.h"

#define MEET_PATIENCE_S 5.0
#define MEET_TEXT 160

/* What both sides know. */
struct secret {
	unsigned char key[64];
	size_t len;
};

/* A random secret of 16 bytes; the same as 32 hexadecimal digits; and reading such text, or any other. */
NETBENCH_EXPORT void secret_make(struct secret *s);
void secret_text(const struct secret *s, char text[33]);
int secret_take(struct secret *s, const char *text);	/* 0, or -1: shorter than 8 characters or too long */

/* The host's answer. */
struct answer {
	bool welcome;
	int rank, size;
	uint32_t more;		/* bytes that follow */
	char text[MEET_TEXT];	/* why not, if not welcome; else the host's name */
};

/* A guest that has proven to know the secret. */
struct guest {
	int fd;
	int rank;		/* that it asks for; -1: any */
	char host[64];		/* its host name, as it says */
	char from[ADDR_TEXT];
	unsigned char talk[256];	/* what was said so far; meet_answer needs it */
	size_t ntalk;
};

/*
 * The host's side: a listening socket, which it then owns, who is at the door, and which of ranks first to
 * end - 1, those awaited, have come. NULL without memory.
 */
struct meeting;
NETBENCH_EXPORT struct meeting *meeting_open(int fd, const struct secret *s, int first, int end);
NETBENCH_EXPORT void meeting_close(struct meeting *m);

/* The listening socket, for poll; and whether someone is at the door who has not been heard out. */
int meeting_fd(const struct meeting *m);
bool meeting_pending(const struct meeting *m);

/*
 * The next guest that knows the secret, to be answered. 1: *g is there; 0: none by the deadline. Warns of
 * those refused.
 */
int meeting_next(struct meeting *m, double deadline, struct guest *g);

/* Answers a guest, and closes its connection if it is not welcome. 0 if it is and there, else -errno. */
int meet_answer(const struct meeting *m, struct guest *g, const struct answer *a);

/*
 * The next guest that can have the rank it asks for: it is told so, and the `more` bytes at `rest`; g->rank
 * is its rank. Results and warnings as of meeting_next.
 */
NETBENCH_EXPORT int meeting_seat(struct meeting *m, double deadline, const void *rest, uint32_t more, struct guest *g);

/* A rank that had come has gone again, and is awaited once more. */
void meeting_leave(struct meeting *m, int rank);

/* The guest's side: where it knocks, and how. */
struct visit {
	const struct addr *at;
	int n;
	const struct secret *secret;
	int rank;		/* to be; -1: any */
	double patience;	/* for each address, s */
	double retry;		/* after so long it begins again; 0: each address is tried once, s */
	bool sure;		/* who answers is the one meant, so that its refusal is final */
	int (*prepare)(int fd, const void *arg);	/* as of net_connect, with its arg */
	const void *arg;
};

/*
 * Knocks at each address in turn. Returns a connected socket with *a filled in, or what went wrong last:
 * -errno, or -EACCES with the reason in a->text if it was refused or the host does not know the secret.
 */
NETBENCH_EXPORT int meet_reach(const struct visit *v, double deadline, struct answer *a);

#endif
