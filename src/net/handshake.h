/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes prove to each other that they know a secret, on a port to which anyone may connect.
 * The process that listens is the host, the other process is the guest. The host sends a nonce. The
 * guest answers with its own nonce and with a MAC: the HMAC-SHA256 of everything sent so far, with
 * the secret as its key. The host's reply also has such a MAC. The secret never crosses the
 * network. Replaying old messages proves nothing, because each handshake has new nonces. MACs are
 * compared in constant time.
 *
 * The keys of the channel that follows are made from the secret and everything sent. So a process
 * that relays the handshake without the secret can neither read nor write the channel.
 */
#ifndef NETBENCH_NET_HANDSHAKE_H
#define NETBENCH_NET_HANDSHAKE_H

#include "net/channel.h"
#include "net/munge.h"
#include "net/socket.h"

#define HANDSHAKE_PATIENCE_S 5.0	/* longest time in s that one side waits for the other */
#define HANDSHAKE_TEXT 160
#define HANDSHAKE_MAC 32

/* Makes a random secret of 16 bytes. Returns ST_OK or ST_FAILED (reported). */
NETBENCH_EXPORT int secret_make(struct secret *s);

/* Writes a secret of secret_make as 32 hexadecimal digits. */
void secret_text(const struct secret *s, char text[33]);

/*
 * Reads a secret: 32 hexadecimal digits, or other text of 8 to 64 characters. Returns 0, or -1 if
 * the text is shorter or longer.
 */
int secret_parse(struct secret *s, const char *text);

/*
 * Makes a key for `purpose` from the secret and the nonce. Nobody can make the key without the
 * secret.
 */
void secret_derive(const struct secret *s, const char *purpose, const unsigned char nonce[32],
		   unsigned char key[HANDSHAKE_MAC]);

/* The host's reply. */
struct answer {
	bool known;			/* true: both sides have proven that they know the secret */
	bool welcome;			/* the guest is admitted */
	int rank, size;
	/* the host's name if welcome, else the reason of the refusal */
	char text[HANDSHAKE_TEXT];
};

/* What both sides have sent. The structs have no padding. Numbers are in network byte order. */
struct handshake {
	struct challenge {		/* sent by the host */
		char magic[8], version[24];
		unsigned char nonce[32];
		/* offer of the secret (munge.h); "": the guest must know the secret already */
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
 * Begins the host's side of a handshake on a non-blocking socket: sends the challenge. `offer` has
 * less than MUNGE_OFFER characters. Call handshake_init before. Returns 0, or -1 if the socket does
 * not accept the data.
 */
int handshake_begin(struct handshake *h, int fd, const char *offer);

/*
 * Reads the part of the guest's proof that has arrived, from byte *got on, and increases *got.
 * Returns 1 if the proof is complete, 0 if more must arrive, -1 if the guest is not a netbench
 * rank.
 */
int handshake_read(struct handshake *h, int fd, size_t *got);

/*
 * Returns true if the complete proof is correct and the guest has the same version. Otherwise sets
 * no->text to the reason, and no->known to true if the guest knows the secret.
 */
bool handshake_verify(const struct handshake *h, const struct secret *s, struct answer *no);

/*
 * Sends the reply on fd, within a second. If the guest is welcome, makes *c the channel to the
 * guest. Returns 0 or -errno. Only if a->known is set, the reply proves that the host knows the
 * secret. A guest that does not know the secret must not get this proof, because it could test
 * guesses of the secret with it.
 */
int handshake_reply(const struct handshake *h, const struct secret *s, int fd,
		    const struct answer *a, struct channel *c);

/* Initialises libsodium; may be called again. Returns ST_OK or ST_FAILED (reported). */
int handshake_init(void);

/* Where and how a guest connects. */
struct visit {
	const struct addr *at;	/* addresses of the host */
	int n;			/* number of addresses */
	const struct secret *secret;
	/* if not NULL: stores the secret that the host offers, and is used instead of `secret` */
	struct secret *learnt;
	int rank;		/* rank for which the guest asks; -1: any */
	double patience;	/* longest time per address, s */
	double retry; /* pause in s before all addresses are tried again; 0: try each only once */
	bool sure; /* true: only the host can listen on these addresses, so any refusal is final */
	/* passed to net_connect, together with `arg` */
	int (*prepare)(int fd, const void *arg);
	const void *arg;
};

/*
 * Performs the guest's side of the handshake with each address in turn, until one succeeds. A
 * refusal by a host that knows the secret ends the attempts. On success returns 0 and fills in *a
 * and the channel *c. Otherwise returns the error of the final attempt as -errno. -EACCES: the host
 * refused or does not know the secret; a->text has the reason. -ENOTSUP (reported): libsodium does
 * not work.
 */
NETBENCH_EXPORT int handshake_connect(const struct visit *v, double deadline, struct answer *a,
				      struct channel *c);

#endif
