/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection between two processes that have proven to each other that they know a secret
 * (handshake.h). It carries frames. Each frame is encrypted and has MACs, under a key and a counter
 * for each direction. Nobody in between can read a frame. If a frame is changed, repeated, swapped
 * or left out, the reader notices it at that frame or the next.
 */
#ifndef NETBENCH_NET_CHANNEL_H
#define NETBENCH_NET_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

#define CHANNEL_KEY 32	/* bytes */
#define CHANNEL_MAC 16
/* bytes of a frame before its data; encryption does not change the length of the data */
#define CHANNEL_HEAD 44

/* Header of a frame, sent before its data. */
struct frame {
	/* kind of frame and status; the two processes define their meaning */
	uint32_t say, status;
	uint32_t len;		/* bytes of data */
};

struct channel {
	int fd;			/* socket that does not block; -1: none */
	unsigned char tx[CHANNEL_KEY], rx[CHANNEL_KEY];	/* keys for sending and receiving */
	uint64_t nsent, nread;	/* frames sent and read so far */
	/* the frame that is arriving */
	size_t got;		/* bytes of it that have arrived */
	bool opened;		/* its header is decrypted */
	struct frame frame;
	unsigned char head[CHANNEL_HEAD], mac[CHANNEL_MAC];
};

/*
 * Makes a channel from a connection. The keys, tx for sending and rx for receiving, must be used
 * for this channel only.
 */
NETBENCH_EXPORT void channel_open(struct channel *c, int fd, const unsigned char tx[CHANNEL_KEY],
				  const unsigned char rx[CHANNEL_KEY]);

/* Closes the connection, if there is one, and erases the keys. */
NETBENCH_EXPORT void channel_close(struct channel *c);

/* Sends a frame with f->len bytes of data. Returns 0 or -errno. */
int channel_send(struct channel *c, const struct frame *f, const void *data, double deadline);

/*
 * channel_read_head reads the header of the next frame. channel_read_data then reads that frame's
 * data into `to`, or drops it if `to` is NULL. Neither waits. Both return 1 if the part is complete
 * and unchanged, and 0 if more must arrive. They return -EBADMSG if it was changed on the way, or
 * another -errno. The header may be asked for again until the data is complete.
 */
int channel_read_head(struct channel *c, struct frame *f);
int channel_read_data(struct channel *c, void *to);

/*
 * Waits for a frame with at most `max` bytes of data. Returns the data in new memory, for free(),
 * or NULL with -errno in *err: -EMSGSIZE if the data is longer.
 */
void *channel_receive(struct channel *c, struct frame *f, uint32_t max, double deadline, int *err);

#endif
