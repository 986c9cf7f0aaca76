/* SPDX-License-Identifier: Apache-2.0 */
#include "net/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/values.h"

/* Returns a pointer to the port in a socket address. */
static uint16_t *port_of(const struct addr *a)
{
	return a->a.ss_family == AF_INET6 ? &((struct sockaddr_in6 *)&a->a)->sin6_port
					  : &((struct sockaddr_in *)&a->a)->sin_port;
}

uint16_t addr_port(const struct addr *a)
{
	return ntohs(*port_of(a));
}

void addr_set_port(struct addr *a, uint16_t port)
{
	*port_of(a) = htons(port);
}

void addr_unmap(struct addr *a)
{
	struct sockaddr_in6 six;
	struct sockaddr_in four = { .sin_family = AF_INET };

	memcpy(&six, &a->a, sizeof(six));
	if (a->a.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
		return;
	memcpy(&four.sin_addr, six.sin6_addr.s6_addr + 12, 4);
	four.sin_port = six.sin6_port;
	memcpy(&a->a, &four, sizeof(four));
	a->len = sizeof(four);
}

void addr_text(const struct addr *given, char text[ADDR_TEXT])
{
	char host[48] = "?";
	struct addr a = *given;
	bool six;

	addr_unmap(&a);
	six = a.a.ss_family == AF_INET6;
	getnameinfo((const struct sockaddr *)&a.a, a.len, host, sizeof(host), NULL, 0,
		    NI_NUMERICHOST);
	snprintf(text, ADDR_TEXT, "%s%.47s%s:%u", six ? "[" : "", host, six ? "]" : "",
		 addr_port(&a));
}

/* Returns the bytes of the IP address in a socket address. */
static const unsigned char *address_bytes(const struct addr *a)
{
	if (a->a.ss_family == AF_INET6)
		return ((const struct sockaddr_in6 *)&a->a)->sin6_addr.s6_addr;
	return (const unsigned char *)&((const struct sockaddr_in *)&a->a)->sin_addr;
}

bool addr_same_net(const struct addr *a, const struct addr *b, int bits)
{
	const unsigned char *x = address_bytes(a), *y = address_bytes(b);
	int whole = bits / 8, rest = bits % 8;

	if (a->a.ss_family != b->a.ss_family || memcmp(x, y, (size_t)whole))
		return false;
	return !rest || !((x[whole] ^ y[whole]) >> (8 - rest));
}

int net_split(const char *name, const char *text, char *host, size_t len, uint16_t *port)
{
	const char *whole = text, *colon = strrchr(text, ':'), *end = colon ? colon + 1 : text;
	size_t n = colon ? (size_t)(colon - text) : 0;
	uint64_t value;

	if (n && text[0] == '[' && text[n - 1] == ']') {
		text++;
		n -= 2;
	} else if (memchr(text, ':', n)) {
		return error_usage("value '%s' of '--%s' is ambiguous: write [address]:port",
				   text, name);
	}
	if (n >= len || scan_whole(&end, false, &value) || *end || value > UINT16_MAX)
		return error_usage("value '%s' of '--%s' is not [host:]port", whole, name);
	memcpy(host, text, n);
	host[n] = '\0';
	*port = (uint16_t)value;
	return ST_OK;
}

int net_resolve(const char *host, uint16_t port, int family, struct addr *list, int room, char *why,
		size_t len)
{
	struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_STREAM }, *found, *f;
	int n = 0, err;

	/* the default timeout may take half a minute */
	setenv("RES_OPTIONS", "timeout:2 attempts:2", 0);
	err = getaddrinfo(host, NULL, &hints, &found);
	/* the host has no /etc/hosts; without a name, getaddrinfo gives the loop-back */
	if (err && !strcmp(host, "localhost"))
		err = getaddrinfo(NULL, "0", &hints, &found);
	if (err) {
		snprintf(why, len, "%s", err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err));
		return -1;
	}
	for (f = found; f && n < room; f = f->ai_next) {
		memcpy(&list[n].a, f->ai_addr, f->ai_addrlen);
		list[n].len = f->ai_addrlen;
		addr_set_port(&list[n++], port);
	}
	freeaddrinfo(found);
	if (!n)
		snprintf(why, len, "no address");
	return n ? n : -1;
}

/* Returns the length in bytes of an IPv4 or IPv6 socket address. */
static socklen_t sockaddr_length(const struct sockaddr *a)
{
	return a->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

/*
 * Returns true if net_local must list this address. If `loopback` is true, net_local must list the
 * loop-back's addresses instead of others.
 */
static bool must_list(const struct ifaddrs *i, const char *interface, int family, bool loopback)
{
	int mine = i->ifa_addr ? i->ifa_addr->sa_family : AF_UNSPEC;

	if ((mine != AF_INET && mine != AF_INET6) || (family != AF_UNSPEC && mine != family) ||
	    !(i->ifa_flags & IFF_UP))
		return false;
	if (mine == AF_INET6 &&
	    IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)i->ifa_addr)->sin6_addr))
		return false;
	return interface ? !strcmp(i->ifa_name, interface)
			 : loopback == !!(i->ifa_flags & IFF_LOOPBACK);
}

int net_local(const char *interface, int family, struct local_addr *list, int room)
{
	struct ifaddrs *all;
	int n = 0;

	if (getifaddrs(&all))
		return 0;
	/* the second pass lists the loop-back, only if the first has found no address */
	for (int loopback = 0; loopback <= !interface && !n; loopback++)
		for (const struct ifaddrs *i = all; i && n < room; i = i->ifa_next) {
			struct local_addr *l = &list[n];
			struct addr mask = { .len = 0 };

			if (!must_list(i, interface, family, loopback))
				continue;
			memset(l, 0, sizeof(*l));
			l->addr.len = sockaddr_length(i->ifa_addr);
			memcpy(&l->addr.a, i->ifa_addr, l->addr.len);
			addr_set_port(&l->addr, 0);
			if (i->ifa_netmask)
				memcpy(&mask.a, i->ifa_netmask, sockaddr_length(i->ifa_netmask));
			for (int k = 0; k < (mask.a.ss_family == AF_INET6 ? 16 : 4); k++)
				l->prefix += __builtin_popcount(address_bytes(&mask)[k]);
			snprintf(l->interface, sizeof(l->interface), "%s", i->ifa_name);
			n++;
		}
	freeifaddrs(all);
	return n;
}

int net_near_first(const struct local_addr *theirs, int n, const struct local_addr *mine, int nmine,
		   struct addr *list)
{
	int got = 0;

	for (int far = 0; far < 2; far++)
		for (int i = 0; i < n; i++) {
			bool near = false;

			for (int k = 0; k < nmine; k++)
				near |= addr_same_net(&theirs[i].addr, &mine[k].addr,
						      mine[k].prefix);
			if (near == !far)
				list[got++] = theirs[i].addr;
		}
	return got;
}

/* Makes a TCP socket send small messages at once. */
static void set_no_delay(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

void net_raise_file_limit(size_t n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= n)
		return;
	limit.rlim_cur = limit.rlim_max < n ? limit.rlim_max : n;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int net_check_file_limit(size_t n, int rank, int ranks, const char *what)
{
	struct rlimit limit;
	size_t left = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT_MAX)
		return ST_OK;
	for (int fd = 0; fd < (int)limit.rlim_cur && left < n; fd++)
		left += fcntl(fd, F_GETFD) < 0;
	if (left >= n)
		return ST_OK;
	return error_unavailable("rank %d needs %zu more open files for the %s of %d ranks, its "
				 "limit of %llu leaves %zu: raise it to %llu (ulimit -Hn), or use "
				 "fewer ranks", rank, n, what, ranks,
				 (unsigned long long)limit.rlim_cur, left,
				 (unsigned long long)limit.rlim_cur + n - left);
}

void net_keepalive(int fd)
{
	int one = 1, idle = 2, every = 1, times = NET_SILENCE_S - 2, ms = NET_SILENCE_S * 1000;

	set_no_delay(fd);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof(every));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof(times));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
}

int addr_any(uint16_t port, struct addr list[ADDR_ANY])
{
	memset(list, 0, ADDR_ANY * sizeof(*list));
	for (int i = 0; i < ADDR_ANY; i++) {
		list[i].a.ss_family = i ? AF_INET : AF_INET6;
		list[i].len = sockaddr_length((const struct sockaddr *)&list[i].a);
		addr_set_port(&list[i], port);
	}
	return ADDR_ANY;
}

int net_listen(const struct addr *list, int n, int backlog, struct addr *bound)
{
	int one = 1, zero = 0, err = EADDRNOTAVAIL;

	for (const struct addr *a = list; a < list + n; a++) {
		int fd = socket(a->a.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

		if (fd < 0) {
			err = errno;
			continue;
		}
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (a->a.ss_family == AF_INET6)	/* accept IPv4 connections, too */
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
		bound->len = sizeof(bound->a);
		if (!bind(fd, (const struct sockaddr *)&a->a, a->len) && !listen(fd, backlog)) {
			getsockname(fd, (struct sockaddr *)&bound->a, &bound->len);
			return fd;
		}
		err = errno;
		close(fd);
	}
	return -err;
}

int net_wait(int fd, int events, double deadline)
{
	struct pollfd p = { .fd = fd, .events = (short)events };

	for (;;) {
		double left = deadline - clock_wall();
		int n = poll(&p, 1, left > 0 ? (int)ceil(fmin(left, 1e6) * 1000) : 0);

		if (n > 0)
			return p.revents;
		if (n == 0 && left <= 0)
			return 0;
	}
}

int net_connect(const struct addr *a, double deadline, int (*prepare)(int fd, const void *arg),
		const void *arg)
{
	int fd = socket(a->a.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), err = 0;
	socklen_t len = sizeof(err);

	if (fd < 0)
		return -errno;
	set_no_delay(fd);
	if (prepare && prepare(fd, arg)) {
		close(fd);
		return -EINVAL;
	}
	if (connect(fd, (const struct sockaddr *)&a->a, a->len)) {
		err = errno;
		if (err == EINPROGRESS && net_wait(fd, POLLOUT, deadline))
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
		else if (err == EINPROGRESS)
			err = ETIMEDOUT;
	}
	if (!err)
		return fd;
	close(fd);
	return -err;
}

/*
 * If event is POLLIN, receives `len` bytes; if POLLOUT, sends them. Checks the deadline after each
 * piece.
 */
static int send_or_receive(int fd, char *at, size_t len, int event, double deadline)
{
	while (len) {
		ssize_t n = event == POLLIN ? recv(fd, at, len, MSG_DONTWAIT)
					    : send(fd, at, len, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n == 0)
			return -ECONNRESET;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
		if (len && (clock_wall() >= deadline || !net_wait(fd, event, deadline)))
			return -ETIMEDOUT;
	}
	return 0;
}

int net_read(int fd, void *buf, size_t len, double deadline)
{
	return send_or_receive(fd, buf, len, POLLIN, deadline);
}

int net_write(int fd, const void *buf, size_t len, double deadline)
{
	return send_or_receive(fd, (char *)buf, len, POLLOUT, deadline);
}
