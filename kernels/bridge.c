/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel over a stream socket. One thread takes chunks out of the transmitting ring and sends
 * them. Another thread receives chunks and puts them into the receiving ring. When that ring is
 * full, the socket's flow control stops the sender. Both ends have the same byte order and run the
 * same image.
 *
 *	frame	header, stamps (8 bytes a chunk), chunks
 */
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define FRAME_CHUNKS 256u
#define FLUSH_MS 500

struct header {
	uint32_t chunks, width;
};

struct bridge {
	int fd;
	struct ring *transmit, *receive;
	struct port from, to;
	stop_flag stop;
	pthread_t sender, receiver;
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the number of chunks from `at` on that are there, contiguous in the ring, and fit into a
 * frame.
 */
static uint32_t contiguous_chunks(const struct port *p)
{
	return least(least(p->limit - p->at, RING_CHUNKS - p->at % RING_CHUNKS), FRAME_CHUNKS);
}

/* Sends a frame of n chunks. Returns 0, or -1 if the connection has ended. */
static int send_frame(int fd, const struct port *p, uint32_t n)
{
	struct header head = { n, p->width };
	struct iovec parts[] = { { &head, sizeof(head) },
				 { port_stamp(p), n * sizeof(double) },
				 { port_chunk(p), (size_t)n * p->width } };
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 3 };

	while (msg.msg_iovlen) {
		ssize_t sent = sendmsg(fd, &msg, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return -1;
		while (sent > 0 && (size_t)sent >= msg.msg_iov->iov_len) {
			sent -= (ssize_t)msg.msg_iov->iov_len;
			msg.msg_iov++;
			if (!--msg.msg_iovlen)
				return 0;
		}
		if (sent > 0) {
			msg.msg_iov->iov_base = (char *)msg.msg_iov->iov_base + sent;
			msg.msg_iov->iov_len -= (size_t)sent;
		}
	}
	return 0;
}

static void *send_all(void *arg)
{
	struct bridge *b = arg;
	struct port *p = &b->from;

	for (;;) {
		uint32_t n;

		if (p->at == p->limit && !port_wait_chunks(p, &b->stop))
			return NULL;
		n = contiguous_chunks(p);
		if (send_frame(b->fd, p, n))
			return NULL;
		p->at += n;
		port_show_read(p);
	}
}

static int recv_bytes(int fd, void *to, size_t len)
{
	char *at = to;

	while (len) {
		ssize_t got = recv(fd, at, len, MSG_WAITALL);

		if (!got || (got < 0 && errno != EINTR))
			return -1;
		if (got > 0) {
			at += got;
			len -= (size_t)got;
		}
	}
	return 0;
}

/* Puts n chunks into the ring. Returns 0, or -1 if the bridge was stopped. */
static int deliver(struct bridge *b, const double *stamps, const unsigned char *chunks, uint32_t n)
{
	struct port *p = &b->to;

	for (uint32_t i = 0; i < n; i++) {
		if (p->at == p->limit && !port_wait_room(p, &b->stop))
			return -1;
		memcpy(port_chunk(p), chunks + (size_t)i * p->width, p->width);
		*port_stamp(p) = stamps[i];
		p->at++;
	}
	port_show_written(p);
	return 0;
}

/*
 * Receives frames until the connection ends or the other side sends an invalid header. Kernels then
 * wait for ever.
 */
static void *recv_all(void *arg)
{
	struct bridge *b = arg;
	struct header head;
	double stamps[FRAME_CHUNKS];
	unsigned char chunks[FRAME_CHUNKS * CHUNK_MAX];

	while (!recv_bytes(b->fd, &head, sizeof(head)))
		if (head.width != b->to.width || head.chunks > FRAME_CHUNKS ||
		    recv_bytes(b->fd, stamps, head.chunks * sizeof(stamps[0])) ||
		    recv_bytes(b->fd, chunks, (size_t)head.chunks * head.width) ||
		    deliver(b, stamps, chunks, head.chunks))
			break;
	return NULL;
}

static void make_ready(int fd)
{
	int flags = fcntl(fd, F_GETFL), on = 1;

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	/* fails on a socket that is not TCP */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static void stop_threads(struct bridge *b)
{
	atomic_store(&b->stop, true);
	ring_rouse(b->transmit);
	ring_rouse(b->receive);
}

/* Starts both threads, with all signals blocked. Returns 0 or a positive errno. */
static int start_threads(struct bridge *b)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&b->sender, NULL, send_all, b);
	if (!err) {
		err = pthread_create(&b->receiver, NULL, recv_all, b);
		if (err) {
			stop_threads(b);
			pthread_join(b->sender, NULL);
		}
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

struct bridge *bridge_open(int fd, struct ring *transmit, struct ring *receive, uint32_t width)
{
	struct bridge *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return NULL;
	b->transmit = transmit;
	b->receive = receive;
	b->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	err = b->fd < 0 ? errno : 0;
	if (!err) {
		make_ready(b->fd);
		port_reader(&b->from, transmit, width);
		port_writer(&b->to, receive, width);
		err = start_threads(b);
	}
	if (!err)
		return b;
	if (b->fd >= 0)
		close(b->fd);
	free(b);
	errno = err;
	return NULL;
}

void bridge_close(struct bridge *b)
{
	struct ring *r;

	if (!b)
		return;
	r = b->transmit;
	for (int ms = 0; ms < FLUSH_MS && atomic_load(&r->head) != atomic_load(&r->tail); ms++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	stop_threads(b);
	shutdown(b->fd, SHUT_RDWR);
	pthread_join(b->sender, NULL);
	pthread_join(b->receiver, NULL);
	close(b->fd);
	free(b);
}
