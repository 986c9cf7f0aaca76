/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the place of your own message library. A channel leads to a process of this machine. It is
 * a Unix socket, named by two numbers. Messages have at most CHANNEL_MOST bytes. Calls that send
 * and receive do not wait. They return 1 if the message was transferred, 0 if the caller has to try
 * again, and -1 with errno if the channel failed.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CHANNEL_MOST 65536

static inline int open_channel(int key, int number,
			       int (*call)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un at = { AF_UNIX, "" };	/* no file: the name begins with a 0 */
	int ch = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path + 1, sizeof(at.sun_path) - 1, "channel-%d-%d", key, number);
	return ch < 0 || call(ch, (const struct sockaddr *)&at, sizeof(at)) ? -1 : ch;
}

/* Makes the end that receives. Returns the channel, or -1 with errno. */
static inline int channel_create(int key, int number)
{
	return open_channel(key, number, bind);
}

/* Opens the end that sends to an existing channel. Returns the channel, or -1 with errno. */
static inline int channel_attach(int key, int number)
{
	return open_channel(key, number, connect);
}

static inline int channel_send_msg(int ch, const void *buf, size_t len)
{
	return send(ch, buf, len, MSG_DONTWAIT) >= 0 ? 1 : -(errno != EAGAIN);
}

static inline int channel_get_msg(int ch, void *buf, size_t len)
{
	return recv(ch, buf, len, MSG_DONTWAIT) >= 0 ? 1 : -(errno != EAGAIN);
}

static inline void channel_close(int ch)
{
	close(ch);
}

#endif
