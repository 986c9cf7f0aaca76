/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An encrypted connection that carries frames between two processes. The processes have proven to
 * each other that they know a secret (handshake.h). Each direction has its own key and its own
 * counter of frames. The key and the counter are used to encrypt each frame and to make its MACs.
 * Nobody between the processes can read a frame. If frames are changed, repeated, swapped or
 * dropped, the reader notices it at the same or the next frame.
 */
#ifndef NETBENCH_NET_CHANNEL_H
#define NETBENCH_NET_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

#define CHANNEL_KEY 32	/* bytes */
#define CHANNEL_MAC 16
/* bytes before a frame's data; encrypted data has the same length as the data */
#define CHANNEL_HEAD 44

/* Header of a frame, sent before its data. */
struct frame {
	/* kind of frame, and a status; their meaning is up to the two processes */
	uint32_t say, status;
	uint32_t len;		/* bytes of data */
};

struct channel {
	int fd;			/* non-blocking socket; -1: none */
	unsigned char tx[CHANNEL_KEY], rx[CHANNEL_KEY];	/* keys for sending and receiving */
	uint64_t nsent, nread;	/* numbers of frames sent and read so far */
	/* the members below are about the frame that is arriving */
	size_t got;		/* number of the frame's bytes that have arrived */
	bool opened;		/* true: the frame's header is complete and decrypted */
	struct frame frame;
	unsigned char head[CHANNEL_HEAD], mac[CHANNEL_MAC];
};

/*
 * Makes a channel from a connected socket. tx is the key for sending, rx for receiving. No other
 * channel may use these keys.
 */
NETBENCH_EXPORT void channel_open(struct channel *c, int fd, const unsigned char tx[CHANNEL_KEY],
				  const unsigned char rx[CHANNEL_KEY]);

/* Closes the connection, if there is one, and erases the keys. */
NETBENCH_EXPORT void channel_close(struct channel *c);

/* Sends a frame with f->len bytes of data. Returns 0 or -errno. */
int channel_send(struct channel *c, const struct frame *f, const void *data, double deadline);

/*
 * channel_read_head reads the header of the next frame. Then channel_read_data reads the frame's
 * data into `to`, or drops it if `to` is NULL. Neither function waits. Both return 1 if the header
 * or data is complete and unchanged, 0 if more bytes must arrive, -EBADMSG if bytes were changed on
 * the way, or another -errno. Until the data is complete, channel_read_head may be called again and
 * gives the same header.
 */
int channel_read_head(struct channel *c, struct frame *f);
int channel_read_data(struct channel *c, void *to);

/*
 * Waits for a frame with at most `max` bytes of data. Returns the data in new memory, which the
 * caller frees. On failure returns NULL and sets *err to -errno; -EMSGSIZE if the data is longer.
 */
void *channel_receive(struct channel *c, struct frame *f, uint32_t max, double deadline, int *err);

#endif
