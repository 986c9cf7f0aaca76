/* SPDX-License-Identifier: Apache-2.0 */
#include "net/handshake.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "config.h"

#define MAGIC "NETBNCH2"	/* the last character is the version of the protocol */

_Static_assert(HANDSHAKE_MAC == crypto_auth_hmacsha256_BYTES, "length of a MAC");
_Static_assert(HANDSHAKE_MAC == CHANNEL_KEY, "a MAC is a key");
_Static_assert(sizeof(struct handshake) == sizeof(struct challenge) + sizeof(struct proof),
	       "padding");

/* The second message of the host. */
struct reply {
	uint32_t known, welcome, rank, size;
	char text[HANDSHAKE_TEXT];
	unsigned char mac[HANDSHAKE_MAC];
};

/*
 * Writes what both sides must have in common: version of netbench, size of a long in bits, and byte
 * order.
 */
static void write_version(char version[24])
{
	const uint16_t one = 1;

	memset(version, 0, 24);
	snprintf(version, 24, "%s/%zu%c", NETBENCH_VERSION, 8 * sizeof(long),
		 *(const char *)&one ? 'l' : 'b');
}

int handshake_init(void)
{
	return sodium_init() < 0 ? error_report("cannot initialise libsodium") : ST_OK;
}

int secret_make(struct secret *s)
{
	if (handshake_init())
		return ST_FAILED;
	s->len = 16;
	randombytes_buf(s->key, s->len);
	return ST_OK;
}

void secret_text(const struct secret *s, char text[33])
{
	sodium_bin2hex(text, 33, s->key, 16);
}

int secret_parse(struct secret *s, const char *text)
{
	size_t len = strlen(text), n;

	if (len == 32 && !sodium_hex2bin(s->key, sizeof(s->key), text, len, NULL, &n, NULL) &&
	    n == 16) {
		s->len = n;
		return 0;
	}
	if (len < 8 || len > sizeof(s->key))
		return -1;
	memcpy(s->key, text, len);
	s->len = len;
	return 0;
}

/*
 * Computes the MAC of two texts: the data sent `before`, and the data sent `now`. `side` says who
 * sends the MAC: 'G' is the guest, 'H' the host. With other letters as `side`, the result is used
 * as a key and never sent.
 */
static void compute_mac(const struct secret *s, char side, const void *before, size_t nbefore,
			const void *now, size_t len, unsigned char mac[HANDSHAKE_MAC])
{
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, s->key, s->len);
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)&side, 1);
	crypto_auth_hmacsha256_update(&state, before, nbefore);
	crypto_auth_hmacsha256_update(&state, now, len);
	crypto_auth_hmacsha256_final(&state, mac);
}

void secret_derive(const struct secret *s, const char *purpose, const unsigned char nonce[32],
		   unsigned char key[HANDSHAKE_MAC])
{
	compute_mac(s, 'k', purpose, strlen(purpose), nonce, 32, key);
}

/* Computes the MAC of the guest's proof. */
static void mac_of_proof(const struct handshake *h, const struct secret *s,
			 unsigned char mac[HANDSHAKE_MAC])
{
	compute_mac(s, 'G', &h->challenge, sizeof(h->challenge), &h->proof,
		    offsetof(struct proof, mac), mac);
}

/* Computes the MAC of the host's reply. */
static void mac_of_reply(const struct handshake *h, const struct secret *s, const struct reply *r,
			 unsigned char mac[HANDSHAKE_MAC])
{
	compute_mac(s, 'H', h, sizeof(*h), r, offsetof(struct reply, mac), mac);
}

int handshake_begin(struct handshake *h, int fd, const char *offer)
{
	memset(h, 0, sizeof(*h));
	strcpy(h->challenge.offer, offer);
	memcpy(h->challenge.magic, MAGIC, sizeof(h->challenge.magic));
	write_version(h->challenge.version);
	randombytes_buf(h->challenge.nonce, sizeof(h->challenge.nonce));
	return send(fd, &h->challenge, sizeof(h->challenge), MSG_DONTWAIT | MSG_NOSIGNAL) ==
		       sizeof(h->challenge) ? 0 : -1;
}

int handshake_read(struct handshake *h, int fd, size_t *got)
{
	size_t nmagic = sizeof(h->proof.magic);
	ssize_t n = recv(fd, (char *)&h->proof + *got, sizeof(h->proof) - *got, MSG_DONTWAIT);

	if (n > 0)
		*got += (size_t)n;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR) ||
	    memcmp(h->proof.magic, MAGIC, *got < nmagic ? *got : nmagic))
		return -1;
	return *got == sizeof(h->proof);
}

/*
 * Terminates a received text, and replaces characters that could control a terminal: a stranger may
 * have sent it.
 */
static void make_printable(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

bool handshake_verify(const struct handshake *h, const struct secret *s, struct answer *no)
{
	unsigned char mac[HANDSHAKE_MAC];
	char version[sizeof(h->proof.version)];

	*no = (struct answer){ .text = "wrong secret" };
	mac_of_proof(h, s, mac);
	if (sodium_memcmp(mac, h->proof.mac, sizeof(mac)))
		return false;
	no->known = true;
	memcpy(version, h->proof.version, sizeof(version));
	make_printable(version, sizeof(version));
	snprintf(no->text, sizeof(no->text), "netbench %s does not join netbench %s", version,
		 h->challenge.version);
	return !memcmp(h->proof.version, h->challenge.version, sizeof(version));
}

/* Opens the channel. Its keys are made from the secret and from everything that was sent. */
static void open_channel(const struct handshake *h, const struct secret *s, const struct reply *r,
			 bool host, int fd, struct channel *c)
{
	unsigned char to_guest[CHANNEL_KEY], to_host[CHANNEL_KEY];

	compute_mac(s, 'g', h, sizeof(*h), r, sizeof(*r), to_guest);
	compute_mac(s, 'h', h, sizeof(*h), r, sizeof(*r), to_host);
	channel_open(c, fd, host ? to_guest : to_host, host ? to_host : to_guest);
	sodium_memzero(to_guest, sizeof(to_guest));
	sodium_memzero(to_host, sizeof(to_host));
}

int handshake_reply(const struct handshake *h, const struct secret *s, int fd,
		    const struct answer *a, struct channel *c)
{
	struct reply r = { .known = htonl(a->known), .welcome = htonl(a->welcome),
			   .rank = htonl((uint32_t)a->rank), .size = htonl((uint32_t)a->size) };
	int err;

	memcpy(r.text, a->text, sizeof(r.text) - 1);
	if (a->known)
		mac_of_reply(h, s, &r, r.mac);
	err = net_write(fd, &r, sizeof(r), clock_wall() + 1);
	if (!err && a->welcome)
		open_channel(h, s, &r, true, fd, c);
	return err;
}

/* Checks the host's reply, and copies it to *a. Returns 0, or -EACCES. */
static int read_reply(const struct handshake *h, const struct secret *s, const struct reply *r,
		      struct answer *a)
{
	unsigned char mac[HANDSHAKE_MAC];

	*a = (struct answer){ .known = ntohl(r->known), .welcome = ntohl(r->welcome),
			      .rank = (int)ntohl(r->rank), .size = (int)ntohl(r->size) };
	memcpy(a->text, r->text, sizeof(a->text));
	make_printable(a->text, sizeof(a->text));
	mac_of_reply(h, s, r, mac);
	if (a->known && !sodium_memcmp(mac, r->mac, sizeof(mac)))
		return a->welcome ? 0 : -EACCES;
	if (a->known || a->welcome)
		strcpy(a->text, "the listener does not know the secret");
	a->known = a->welcome = false;
	return -EACCES;
}

/* The guest's side of the handshake on a connected socket. Returns 0 or -errno. */
static int shake_hands_as_guest(int fd, const struct visit *v, double deadline, struct answer *a,
			 struct channel *c)
{
	struct handshake h = { .proof = { .rank = htonl((uint32_t)v->rank) } };
	const struct secret *s = v->learnt ? v->learnt : v->secret;
	char *theirs = h.challenge.magic;
	const size_t nmagic = sizeof(h.challenge.magic);
	struct reply r;
	/*
	 * read only the magic word first: other versions may send other data after the magic word
	 */
	int err = net_read(fd, theirs, nmagic, deadline);

	*a = (struct answer){ .text = "it is a netbench of another version" };
	if (err)
		return err;
	if (memcmp(theirs, MAGIC, nmagic))
		return memcmp(theirs, MAGIC, nmagic - 1) ? -EPROTO : -EACCES;
	err = net_read(fd, (char *)&h.challenge + nmagic, sizeof(h.challenge) - nmagic, deadline);
	if (err)
		return err;
	if (h.challenge.offer[MUNGE_OFFER - 1] ||
	    (v->learnt && munge_take(h.challenge.offer, v->learnt, a->text, sizeof(a->text))))
		return -EACCES;
	memcpy(h.proof.magic, MAGIC, sizeof(h.proof.magic));
	write_version(h.proof.version);
	gethostname(h.proof.host, sizeof(h.proof.host) - 1);
	randombytes_buf(h.proof.nonce, sizeof(h.proof.nonce));
	mac_of_proof(&h, s, h.proof.mac);
	if ((err = net_write(fd, &h.proof, sizeof(h.proof), deadline)) ||
	    (err = net_read(fd, &r, sizeof(r), deadline)) || (err = read_reply(&h, s, &r, a)))
		return err;
	open_channel(&h, s, &r, false, fd, c);
	return 0;
}

int handshake_connect(const struct visit *v, double deadline, struct answer *a, struct channel *c)
{
	struct timespec nap = { 0, (long)(v->retry * 1e9) };
	int err = -EADDRNOTAVAIL;

	*a = (struct answer){ .known = false };
	if (handshake_init())
		return -ENOTSUP;
	for (;;) {
		for (int i = 0; i < v->n && err; i++) {
			double until = fmin(deadline, clock_wall() + v->patience);
			int fd = net_connect(&v->at[i], until, v->prepare, v->arg);

			err = fd < 0 ? fd : shake_hands_as_guest(fd, v, until, a, c);
			if (fd >= 0 && err)
				close(fd);
			if ((err == -EACCES && (v->sure || a->known)) || err == -EMFILE ||
			    err == -ENFILE)
				return err;
		}
		if (!err || (err == -EINVAL && v->prepare) || v->retry <= 0 ||
		    clock_wall() + v->retry > deadline)
			return err;
		nanosleep(&nap, NULL);
	}
}
