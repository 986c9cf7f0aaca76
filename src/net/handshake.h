/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How two processes prove to each other that they know a secret, on a port where anyone may
 * connect. The process that listens is the host, the other one the guest. The host sends a nonce.
 * The guest answers with its own nonce and the HMAC-SHA256, under the secret, of everything sent so
 * far. The host's reply proves in the same way that it knows the secret. The secret never crosses
 * the network. A replay proves nothing. MACs are compared in constant time.
 *
 * The keys of the channel that follows are made from the secret and everything sent. A process in
 * between that only passes the handshake on can neither read nor write that channel.
 */
#ifndef NETBENCH_NET_HANDSHAKE_H
#define NETBENCH_NET_HANDSHAKE_H

#include "net/channel.h"
#include "net/munge.h"
#include "net/socket.h"

#define HANDSHAKE_PATIENCE_S 5.0	/* seconds that each side waits for the other */
#define HANDSHAKE_TEXT 160
#define HANDSHAKE_MAC 32

/* Makes a random secret of 16 bytes. Returns ST_OK or ST_FAILED (reported). */
NETBENCH_EXPORT int secret_make(struct secret *s);

/* Writes such a secret as 32 hexadecimal digits. */
void secret_text(const struct secret *s, char text[33]);

/*
 * Reads a secret: 32 hexadecimal digits, or other text of 8 to 64 characters. Returns 0, or -1 if
 * the text is shorter or longer.
 */
int secret_parse(struct secret *s, const char *text);

/* Makes a key for `purpose`. To make it one needs the secret and the nonce. */
void secret_derive(const struct secret *s, const char *purpose, const unsigned char nonce[32],
		   unsigned char key[HANDSHAKE_MAC]);

/* The host's reply. */
struct answer {
	bool known;			/* both sides have proven that they know the secret */
	bool welcome;			/* the guest is admitted */
	int rank, size;
	/* the host's name if welcome, else the reason of the refusal */
	char text[HANDSHAKE_TEXT];
};

/* What both sides have sent, without padding. Numbers are in network byte order. */
struct handshake {
	struct challenge {		/* sent by the host */
		char magic[8], version[24];
		unsigned char nonce[32];
		/* offer of the secret; "": the guest must know it */
		char offer[MUNGE_OFFER];
	} challenge;
	struct proof {			/* sent by the guest */
		char magic[8], version[24];
		uint32_t rank;
		char host[64];
		unsigned char nonce[32], mac[HANDSHAKE_MAC];
	} proof;
};

/*
 * Begins the host's side, on a socket that does not block. libsodium must be initialised. Sends the
 * challenge with an offer of less than MUNGE_OFFER characters. Returns 0, or -1 if the socket does
 * not accept the data.
 */
int handshake_begin(struct handshake *h, int fd, const char *offer);

/*
 * Reads more of the guest's proof, from byte *got on. Returns 1 if it is complete, 0 if more must
 * arrive, -1 if the guest is not a netbench rank.
 */
int handshake_read(struct handshake *h, int fd, size_t *got);

/*
 * Returns true if a complete proof is right. Otherwise the reason is in no->text, and no->known
 * tells whether the guest knows the secret.
 */
bool handshake_verify(const struct handshake *h, const struct secret *s, struct answer *no);

/*
 * Sends the reply on fd, within a second. If the guest is welcome, *c becomes the channel to it.
 * Returns 0 or -errno. The reply proves that the host knows the secret, but only if a->known is
 * set. A guest without the secret could use such a proof to guess it.
 */
int handshake_reply(const struct handshake *h, const struct secret *s, int fd,
		    const struct answer *a, struct channel *c);

/* Initialises libsodium; may be called again. Returns ST_OK or ST_FAILED (reported). */
int handshake_init(void);

/* The guest's side: where and how it connects. */
struct visit {
	const struct addr *at;	/* addresses of the host */
	int n;			/* number of addresses */
	const struct secret *secret;
	/* if not NULL: gets the secret that the host offers, which is used instead of `secret` */
	struct secret *learnt;
	int rank;		/* rank to ask for; -1: any */
	double patience;	/* longest time per address, s */
	double retry; /* pause before all addresses are tried again, s; 0: each is tried once */
	bool sure; /* only the host listens on these addresses, so that a refusal is final */
	int (*prepare)(int fd, const void *arg);	/* argument of net_connect, and its arg */
	const void *arg;
};

/*
 * Tries each address in turn. Returns 0 with *a and the channel *c filled in, or the last error as
 * -errno. The result is -EACCES, with the reason in a->text, if the host refused or does not know
 * the secret. It is -ENOTSUP (reported) if libsodium does not work. A refusal by a host that knows
 * the secret is final.
 */
NETBENCH_EXPORT int handshake_connect(const struct visit *v, double deadline, struct answer *a,
				      struct channel *c);

#endif
