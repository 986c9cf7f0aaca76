/* SPDX-License-Identifier: Apache-2.0
 *
 * A cable of known latency and rate, in user space. Every Ethernet frame that comes in on one
 * interface of a pair goes out on the other:
 *
 *	leaves    = max(arrives, line idle) + bytes on the wire * 8 / rate
 *	delivered = leaves + latency
 *
 * in each direction by itself (full duplex, store and forward). Frames that the kernel has not
 * cut into segments yet stay as they are; on the wire each of their segments counts.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000LL

enum {
	LONGEST_FRAME = 66000,          /* bytes, with its virtio header, before segmentation */
	QUEUE_BYTES = 8 << 20,	/* bytes in flight in a direction; further frames are dropped */
	SOCKET_BYTES = 16 << 20,
	SHORTEST_ON_WIRE = 60,
	USUAL_HEADERS = 14 + 20 + 32,   /* Ethernet, IPv4, TCP with time stamps */
	BATCH = 64,                     /* number of frames read before due frames are sent */
	SPIN_NS = 30000,	/* time before a delivery in which sleeping would be too coarse */
	OLDEST_STAMP_NS = 50000000,     /* an older time stamp means that the clock was set */
};

struct frame {
	struct frame *next;
	int64_t due;
	size_t size;
	unsigned char data[];           /* struct virtio_net_hdr, then the frame */
};

struct direction {
	int from, to;                   /* packet sockets */
	struct frame *first, **last;    /* frames in flight, in order of delivery */
	size_t bytes;                   /* bytes of these frames */
	int64_t line_idle;              /* time at which the last bit of the last frame has left */
	uint64_t delivered, dropped;
	int64_t late_sum, late_max;     /* delays of late deliveries, ns */
};

struct cable {
	int64_t latency;                /* ns */
	double rate;                    /* bit/s; 0: no limit */
	int n;                          /* number of directions: 2 a pair */
	struct direction *directions;   /* 2i and 2i+1 are a pair */
	struct pollfd *polled;          /* their sockets */
};

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	stopped = 1;
}

static void die(const char *what)
{
	fprintf(stderr, "delayline: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* ---- interfaces ---- */

static void set(int fd, int level, int name, int value, const char *what)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		die(what);
}

/* Opens a socket for all frames that arrive on an interface, for any receiver. */
static int open_interface(const char *name)
{
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ETH_P_ALL));
	int index = (int)if_nametoindex(name);
	int size = SOCKET_BYTES;
	struct sockaddr_ll address = { .sll_family = AF_PACKET,
				       .sll_protocol = htons(ETH_P_ALL),
				       .sll_ifindex = index };
	struct packet_mreq all = { .mr_ifindex = index, .mr_type = PACKET_MR_PROMISC };

	if (fd < 0 || !index)
		die(name);
	set(fd, SOL_PACKET, PACKET_VNET_HDR, 1, name);
	set(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1, name);
	set(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1, name);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof(all)))
		die(name);
	/* a larger buffer needs rights that a user namespace lacks; the usual size serves */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		set(fd, SOL_SOCKET, SO_RCVBUF, size, name);
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		set(fd, SOL_SOCKET, SO_SNDBUF, size, name);
	return fd;
}

static void open_cable(struct cable *c, char **names)
{
	c->directions = calloc((size_t)c->n, sizeof(*c->directions));
	c->polled = calloc((size_t)c->n, sizeof(*c->polled));
	if (!c->directions || !c->polled)
		die("memory");
	for (int i = 0; i < c->n; i++) {
		c->polled[i].fd = open_interface(names[i]);
		c->polled[i].events = POLLIN;
	}
	for (int i = 0; i < c->n; i++) {
		c->directions[i].from = c->polled[i].fd;
		c->directions[i].to = c->polled[i ^ 1].fd;
		c->directions[i].last = &c->directions[i].first;
	}
}

/* ---- frames ---- */

/* Returns the bytes of a frame on a wire, each segment with its headers. */
static size_t wire_bytes(const unsigned char *data, size_t size)
{
	struct virtio_net_hdr h;
	size_t frame = size - sizeof(h), headers, segments;

	memcpy(&h, data, sizeof(h));
	if (frame < SHORTEST_ON_WIRE)
		return SHORTEST_ON_WIRE;
	if (h.gso_type == VIRTIO_NET_HDR_GSO_NONE || !h.gso_size)
		return frame;
	headers = h.hdr_len && h.hdr_len < frame ? h.hdr_len : USUAL_HEADERS;
	segments = (frame - headers + h.gso_size - 1) / h.gso_size;
	return frame + (segments ? segments - 1 : 0) * headers;
}

/*
 * Returns when the kernel received the frame, on the monotonic clock; now, if the kernel does not
 * say.
 */
static int64_t arrival(struct msghdr *m)
{
	int64_t t = now(CLOCK_MONOTONIC), seen;
	struct timespec stamp;

	for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h; h = CMSG_NXTHDR(m, h)) {
		if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&stamp, CMSG_DATA(h), sizeof(stamp));
		seen = t - (now(CLOCK_REALTIME) - (stamp.tv_sec * NS_PER_S + stamp.tv_nsec));
		if (seen <= t && t - seen < OLDEST_STAMP_NS)
			return seen;
	}
	return t;
}

static void enqueue(struct direction *d, const struct cable *c, const unsigned char *data,
		    size_t size, int64_t arrived)
{
	struct frame *f = d->bytes + size <= QUEUE_BYTES ? malloc(sizeof(*f) + size) : NULL;

	if (!f) {
		d->dropped++;
		return;
	}
	if (d->line_idle < arrived)
		d->line_idle = arrived;
	if (c->rate > 0)
		d->line_idle += (int64_t)((double)wire_bytes(data, size) * 8e9 / c->rate);
	f->next = NULL;
	f->due = d->line_idle + c->latency;
	f->size = size;
	memcpy(f->data, data, size);
	*d->last = f;
	d->last = &f->next;
	d->bytes += size;
}

/*
 * Reads the frames that have arrived. An interface that is down gives an error once, then nothing.
 */
static void take(struct direction *d, const struct cable *c)
{
	static unsigned char data[LONGEST_FRAME];
	_Alignas(struct cmsghdr) char control[64];

	for (int i = 0; i < BATCH; i++) {
		struct iovec v = { data, sizeof(data) };
		struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = control,
				    .msg_controllen = sizeof(control) };
		ssize_t size = recvmsg(d->from, &m, 0);

		if (size < (ssize_t)sizeof(struct virtio_net_hdr))
			return;
		enqueue(d, c, data, (size_t)size, arrival(&m));
	}
}

/* Sends due frames. Returns the time of the next one; INT64_MAX: none. */
static int64_t deliver(struct direction *d)
{
	struct frame *f;

	while ((f = d->first)) {
		int64_t late = now(CLOCK_MONOTONIC) - f->due;

		if (late < 0)
			return f->due;
		if (send(d->to, f->data, f->size, 0) < 0)
			d->dropped++;
		else
			d->delivered++;
		d->late_sum += late;
		if (d->late_max < late)
			d->late_max = late;
		d->first = f->next;
		if (!d->first)
			d->last = &d->first;
		d->bytes -= f->size;
		free(f);
	}
	return INT64_MAX;
}

/* ---- the program ---- */

/* Sleeps until a frame arrives or the next is nearly due. */
static void rest(const struct cable *c, int64_t due)
{
	int64_t ns = due == INT64_MAX ? NS_PER_S / 10 : due - now(CLOCK_MONOTONIC) - SPIN_NS;
	struct timespec t;

	if (ns <= 0)
		return;
	t.tv_sec = ns / NS_PER_S;
	t.tv_nsec = ns % NS_PER_S;
	ppoll(c->polled, (nfds_t)c->n, &t, NULL);
}

static void carry(struct cable *c)
{
	while (!stopped) {
		int64_t next = INT64_MAX;

		for (int i = 0; i < c->n; i++) {
			int64_t due;

			take(&c->directions[i], c);
			due = deliver(&c->directions[i]);
			if (next > due)
				next = due;
		}
		rest(c, next);
	}
}

/*
 * Makes the process punctual if the system allows it: real-time priority, timers to the nanosecond.
 */
static void be_punctual(int priority)
{
	struct sched_param p = { .sched_priority = priority };

	prctl(PR_SET_TIMERSLACK, 1UL);
	if (priority && sched_setscheduler(0, SCHED_FIFO, &p))
		fprintf(stderr, "delayline: warning: no priority of real time: %s\n",
			strerror(errno));
}

static void report(const struct cable *c, char **names)
{
	for (int i = 0; i < c->n; i++) {
		const struct direction *d = &c->directions[i];
		uint64_t n = d->delivered ? d->delivered : 1;

		fprintf(stderr, "%s to %s: %" PRIu64 " frames, %" PRIu64 " dropped, late by "
			"%" PRId64 " ns in the mean, %" PRId64 " ns at most\n", names[i],
			names[i ^ 1], d->delivered, d->dropped, d->late_sum / (int64_t)n,
			d->late_max);
	}
}

static void usage(void)
{
	fputs("usage: delayline [-v] [-l latency_ns] [-r bit_s] [-p fifo_priority] interface "
	      "interface ...\n"
	      "Carries frames between the interfaces of each pair; -v: says in the end how many.\n",
	      stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	struct cable c = { 0 };
	int option, priority = 0, verbose = 0;

	while ((option = getopt(argc, argv, "l:r:p:v")) != -1) {
		switch (option) {
		case 'l':
			c.latency = atoll(optarg);
			break;
		case 'r':
			c.rate = atof(optarg);
			break;
		case 'p':
			priority = atoi(optarg);
			break;
		case 'v':
			verbose = 1;
			break;
		default:
			usage();
		}
	}
	c.n = argc - optind;
	if (c.n < 2 || c.n % 2)
		usage();
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	open_cable(&c, argv + optind);
	be_punctual(priority);
	puts("ready");
	fflush(stdout);
	carry(&c);
	if (verbose)
		report(&c, argv + optind);
	return 0;
}
