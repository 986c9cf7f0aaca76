/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections between processes that know a common secret, on a network where anyone may knock. The host
 * sends a nonce, the guest answers with one of its own and the HMAC-SHA256 of both under the secret, and
 * the host proves in turn that it knows it. Nothing of the secret crosses the network, nothing can be
 * replayed, MACs are compared in constant time. What does not speak the protocol, or not within
 * MEET_PATIENCE_S, is dropped; it delays nobody.
 */
#ifndef NETBENCH_JOB_MEET_H
#define NETBENCH_JOB_MEET_H

#include <stdint.h>

#include "job/net.h"

#define MEET_PATIENCE_S 5.0
#define MEET_TEXT 160

/* What both sides know. */
struct secret {
	unsigned char key[64];
	size_t len;
};

/* A random secret of 16 bytes; the same as 32 hexadecimal digits; and reading such text, or any other. */
void secret_make(struct secret *s);
void secret_text(const struct secret *s, char text[33]);
int secret_take(struct secret *s, const char *text);	/* 0, or -1: shorter than 8 characters or too long */

/* The host's answer. */
struct answer {
	bool welcome;
	int rank, size;
	uint32_t more;		/* bytes that follow */
	char text[MEET_TEXT];	/* why not, if not welcome; else what the host likes to say */
};

/* A guest that has proven to know the secret, to be answered. */
struct guest {
	int fd;
	int rank;		/* that it asks for; -1: any */
	char host[64];		/* its host name, as it says */
	char from[ADDR_TEXT];
	unsigned char talk[256];	/* what was said so far; meet_answer needs it */
	size_t ntalk;
};

/* The host's side: a listening socket, which it then owns, and who is at the door. */
struct meeting;
struct meeting *meeting_open(int fd, const struct secret *s);	/* NULL without memory */
void meeting_close(struct meeting *m);

/* The listening socket, for poll; and whether someone is at the door who has not been heard out. */
int meeting_fd(const struct meeting *m);
bool meeting_pending(const struct meeting *m);

/* The next guest that knows the secret. 1: *g is there; 0: none by the deadline. Warns of those refused. */
int meeting_next(struct meeting *m, double deadline, struct guest *g);

/* Answers a guest, and closes its connection if it is not welcome. 0 if it is and there, else -errno. */
int meet_answer(const struct meeting *m, struct guest *g, const struct answer *a);

/*
 * The guest's side: knocks at an address. Returns a connected socket with *a filled in, -errno, or
 * -EACCES with the reason in a->text if it was refused or the host does not know the secret. prepare: as of
 * net_connect.
 */
int meet_knock(const struct addr *at, const struct secret *s, int rank, double deadline,
	       int (*prepare)(int fd), struct answer *a);

#endif
