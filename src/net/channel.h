/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection between two processes; each has proven that it knows a secret (handshake.h). It
 * carries frames, each encrypted and with MACs, under a key and a count for each direction. Nobody
 * between the two can read a frame. The reader of a frame, or of the next one, notices that it was
 * changed, repeated, swapped or left out.
 */
#ifndef NETBENCH_NET_CHANNEL_H
#define NETBENCH_NET_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

#define CHANNEL_KEY 32	/* bytes */
#define CHANNEL_MAC 16
#define CHANNEL_HEAD 44	/* of each frame, before its data, which is as long as it was */

/* What comes before the data. */
struct frame {
	uint32_t say, status;	/* what these mean is up to the two */
	uint32_t len;		/* bytes of data */
};

struct channel {
	int fd;			/* -1: none; does not block */
	unsigned char tx[CHANNEL_KEY], rx[CHANNEL_KEY];
	uint64_t nsent, nread;	/* frames */
	/* the frame that is arriving */
	size_t got;		/* bytes of it */
	bool opened;		/* its head is decrypted */
	struct frame frame;
	unsigned char head[CHANNEL_HEAD], mac[CHANNEL_MAC];
};

/* Makes a channel of a connection. The keys, for sending and reading, are for this one alone. */
NETBENCH_EXPORT void channel_open(struct channel *c, int fd, const unsigned char tx[CHANNEL_KEY],
				  const unsigned char rx[CHANNEL_KEY]);

/* Closes the connection, if there is one, and forgets the keys. */
NETBENCH_EXPORT void channel_close(struct channel *c);

/* Sends a frame with f->len bytes of data. 0 or -errno. */
int channel_send(struct channel *c, const struct frame *f, const void *data, double deadline);

/*
 * Reads on the head of the next frame, then that frame's data into `to`, or nowhere if it is NULL;
 * neither waits. 1: whole, and as it was sent; 0: not yet; -errno: -EBADMSG if it is not as it was
 * sent. The head may be asked for again until the data is whole.
 */
int channel_head(struct channel *c, struct frame *f);
int channel_data(struct channel *c, void *to);

/*
 * Waits for a frame with at most `max` bytes of data. Its data in new memory, for free(), or NULL
 * with -errno in *err: -EMSGSIZE if it is longer.
 */
void *channel_take(struct channel *c, struct frame *f, uint32_t max, double deadline, int *err);

#endif
