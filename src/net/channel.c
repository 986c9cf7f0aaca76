/* SPDX-License-Identifier: Apache-2.0 */
#include "net/channel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/socket.h"

/* A frame's header before encryption. Numbers are in network byte order. */
struct frame_head {
	uint32_t say, status, len;
	unsigned char mac[CHANNEL_MAC];	/* MAC of the data */
};

enum part { HEAD, DATA };

_Static_assert(CHANNEL_KEY == crypto_aead_chacha20poly1305_IETF_KEYBYTES, "length of a key");
_Static_assert(CHANNEL_MAC == crypto_aead_chacha20poly1305_IETF_ABYTES, "length of a MAC");
_Static_assert(CHANNEL_HEAD == sizeof(struct frame_head) + CHANNEL_MAC, "length of a head");

void channel_open(struct channel *c, int fd, const unsigned char tx[CHANNEL_KEY],
		  const unsigned char rx[CHANNEL_KEY])
{
	*c = (struct channel){ .fd = fd };
	memcpy(c->tx, tx, CHANNEL_KEY);
	memcpy(c->rx, rx, CHANNEL_KEY);
}

void channel_close(struct channel *c)
{
	if (c->fd >= 0)
		close(c->fd);
	sodium_memzero(c, sizeof(*c));
	c->fd = -1;
}

/*
 * Makes a nonce from the number of the frame, and from which part of the frame is encrypted. So
 * each nonce is used only once with a key.
 */
static void make_nonce(unsigned char nonce[crypto_aead_chacha20poly1305_IETF_NPUBBYTES],
		       uint64_t count, enum part part)
{
	memset(nonce, 0, crypto_aead_chacha20poly1305_IETF_NPUBBYTES);
	nonce[0] = (unsigned char)part;
	for (int i = 0; i < 8; i++)
		nonce[4 + i] = (unsigned char)(count >> (8 * i));
}

/* Encrypts `len` bytes, one part of a frame, from `data` to `to`, and makes their MAC. */
static void encrypt_part(const struct channel *c, enum part part, const void *data, size_t len,
			 unsigned char *to, unsigned char mac[CHANNEL_MAC])
{
	unsigned char nonce[crypto_aead_chacha20poly1305_IETF_NPUBBYTES];

	make_nonce(nonce, c->nsent, part);
	crypto_aead_chacha20poly1305_ietf_encrypt_detached(to, mac, NULL, data, len, NULL, 0, NULL,
							   nonce, c->tx);
}

/* Decrypts a part of a frame in place. Returns true if the part was not changed on the way. */
static bool decrypt_part(const struct channel *c, enum part part, unsigned char *data, size_t len,
			 const unsigned char mac[CHANNEL_MAC])
{
	unsigned char nonce[crypto_aead_chacha20poly1305_IETF_NPUBBYTES];

	make_nonce(nonce, c->nread, part);
	return !crypto_aead_chacha20poly1305_ietf_decrypt_detached(data, NULL, data, len, mac, NULL,
								   0, nonce, c->rx);
}

int channel_send(struct channel *c, const struct frame *f, const void *data, double deadline)
{
	struct frame_head h = { htonl(f->say), htonl(f->status), htonl(f->len), { 0 } };
	unsigned char small[CHANNEL_HEAD + 8192], *out = small;
	size_t bytes = CHANNEL_HEAD + f->len;
	int err;

	if (bytes > sizeof(small) && !(out = malloc(bytes)))
		return -ENOMEM;
	if (f->len)
		encrypt_part(c, DATA, data, f->len, out + CHANNEL_HEAD, h.mac);
	encrypt_part(c, HEAD, &h, sizeof(h), out, out + sizeof(h));
	c->nsent++;
	err = net_write(c->fd, out, bytes, deadline);
	if (out != small)
		free(out);
	return err;
}

/*
 * Reads the frame's bytes from `begin` to begin + len, except bytes that have not arrived yet. If
 * `to` is NULL, drops them. Returns 1 if all have arrived, 0 if not yet, or -errno.
 */
static int read_part(struct channel *c, size_t begin, unsigned char *to, size_t len)
{
	unsigned char nowhere[512];

	while (c->got < begin + len) {
		size_t want = begin + len - c->got;
		ssize_t n;

		if (to)
			n = recv(c->fd, to + (c->got - begin), want, MSG_DONTWAIT);
		else
			n = recv(c->fd, nowhere, want < sizeof(nowhere) ? want : sizeof(nowhere),
				 MSG_DONTWAIT);
		if (n == 0)
			return -ECONNRESET;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		c->got += n > 0 ? (size_t)n : 0;
	}
	return 1;
}

int channel_read_head(struct channel *c, struct frame *f)
{
	struct frame_head h;
	int n = read_part(c, 0, c->head, CHANNEL_HEAD);

	if (n <= 0)
		return n;
	if (!c->opened) {
		if (!decrypt_part(c, HEAD, c->head, sizeof(h), c->head + sizeof(h)))
			return -EBADMSG;
		memcpy(&h, c->head, sizeof(h));
		c->frame = (struct frame){ ntohl(h.say), ntohl(h.status), ntohl(h.len) };
		memcpy(c->mac, h.mac, sizeof(c->mac));
		c->opened = true;
	}
	*f = c->frame;
	return 1;
}

int channel_read_data(struct channel *c, void *to)
{
	size_t len = c->frame.len;
	int n = read_part(c, CHANNEL_HEAD, to, len);

	if (n <= 0)
		return n;
	if (to && len && !decrypt_part(c, DATA, to, len, c->mac))
		return -EBADMSG;
	c->got = 0;
	c->opened = false;
	c->nread++;
	return 1;
}

void *channel_receive(struct channel *c, struct frame *f, uint32_t max, double deadline, int *err)
{
	void *data = NULL;

	for (;;) {
		*err = channel_read_head(c, f);
		if (*err > 0 && f->len > max)
			*err = -EMSGSIZE;
		else if (*err > 0 && !data && !(data = malloc(f->len + 1)))
			*err = -ENOMEM;
		else if (*err > 0)
			*err = channel_read_data(c, data);
		if (*err > 0)
			return data;
		if (*err == 0 && !net_wait(c->fd, POLLIN, deadline))
			*err = -ETIMEDOUT;
		if (*err < 0) {
			free(data);
			return NULL;
		}
	}
}
