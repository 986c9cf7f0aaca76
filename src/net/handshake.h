/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How two processes prove to each other that they know a secret, where anyone may connect. The host
 * sends a nonce. The guest answers with its own nonce and the HMAC-SHA256, under the secret, of all
 * that was sent. The host's reply proves in the same way that it knows the secret as well. The
 * secret never crosses the network. A replay proves nothing. MACs are compared in constant time.
 *
 * The keys of the channel that follows come from the secret and from all that was sent. A process
 * between the two that only passes the handshake on can neither read nor write that channel.
 */
#ifndef NETBENCH_NET_HANDSHAKE_H
#define NETBENCH_NET_HANDSHAKE_H

#include "net/channel.h"
#include "net/munge.h"
#include "net/socket.h"

#define HANDSHAKE_PATIENCE_S 5.0	/* how long each side waits for the other */
#define HANDSHAKE_TEXT 160
#define HANDSHAKE_MAC 32

/* Makes a random secret of 16 bytes. ST_OK or ST_FAILED (reported). */
NETBENCH_EXPORT int secret_make(struct secret *s);

/* Such a secret as 32 hexadecimal digits. */
void secret_text(const struct secret *s, char text[33]);

/* Reads these digits, or other text of 8 to 64 characters. 0, or -1 if shorter or longer. */
int secret_take(struct secret *s, const char *text);

/* A key for `purpose` that needs the secret and the nonce to make. */
void secret_derive(const struct secret *s, const char *purpose, const unsigned char nonce[32],
		   unsigned char key[HANDSHAKE_MAC]);

/* The host's reply. */
struct answer {
	bool known;			/* both have proven that they know the secret */
	bool welcome;
	int rank, size;
	char text[HANDSHAKE_TEXT];	/* the host's name if welcome, else the reason */
};

/* What the two have sent, without padding; numbers in network byte order. */
struct handshake {
	struct challenge {		/* by the host */
		char magic[8], version[24];
		unsigned char nonce[32];
		char offer[MUNGE_OFFER];	/* of the secret; "": the guest has to know it */
	} challenge;
	struct proof {			/* by the guest */
		char magic[8], version[24];
		uint32_t rank;
		char host[64];
		unsigned char nonce[32], mac[HANDSHAKE_MAC];
	} proof;
};

/*
 * The host's side, on a socket that does not block, with libsodium initialised. Sends the challenge
 * with an offer, of at most MUNGE_OFFER bytes. 0, or -1 if the socket does not take it.
 */
int handshake_begin(struct handshake *h, int fd, const char *offer);

/* Reads on the guest's proof, from byte *got. 1: complete, 0: not yet, -1: not a netbench rank. */
int handshake_read(struct handshake *h, int fd, size_t *got);

/* True if a complete proof is right. Else the reason is in no->text; no->known is set, too. */
bool handshake_verify(const struct handshake *h, const struct secret *s, struct answer *no);

/*
 * Sends the reply on fd, within a second; if the guest is welcome, *c is the channel to it. 0 or
 * -errno. If a->known says that the guest knows the secret, the reply proves that the host does.
 * Another guest could use such a proof to guess the secret.
 */
int handshake_reply(const struct handshake *h, const struct secret *s, int fd,
		    const struct answer *a, struct channel *c);

/* Initialises libsodium; may be called again. ST_OK or ST_FAILED (reported). */
int handshake_init(void);

/* The guest's side: where it connects, and how. */
struct visit {
	const struct addr *at;
	int n;
	const struct secret *secret;
	struct secret *learnt;	/* if not NULL: the secret, which the host offers, for `secret` */
	int rank;		/* to be; -1: any */
	double patience;	/* for each address, s */
	double retry; /* pause before all addresses are tried again; 0: each is tried once, s */
	bool sure; /* these are the host's addresses alone, so that a refusal is final */
	int (*prepare)(int fd, const void *arg);	/* as of net_connect, with its arg */
	const void *arg;
};

/*
 * Tries each address in turn. 0 with *a and the channel *c filled in, or the last fault: -errno;
 * -EACCES, with the reason in a->text, if the host refused or does not know the secret; -ENOTSUP
 * (reported) without libsodium. A refusal by a host that knows the secret is final.
 */
NETBENCH_EXPORT int handshake_connect(const struct visit *v, double deadline, struct answer *a,
				      struct channel *c);

#endif
