/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP sockets with deadlines. They are used by jobs over several hosts, and by backends before
 * measuring. A deadline is a value of clock_wall. Every function that waits has a deadline and
 * returns by then, even if the peer sends only a few bytes at a time. A result below 0 is -errno.
 * It is -ECONNRESET if the peer has closed the connection.
 */
#ifndef NETBENCH_NET_SOCKET_H
#define NETBENCH_NET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/export.h"

/* A socket address. */
struct addr {
	struct sockaddr_storage a;
	socklen_t len;
};

/*
 * Turns an IPv6 address of the form ::ffff:a.b.c.d into the IPv4 address a.b.c.d. Sockets for both
 * IP versions report IPv4 addresses in that form.
 */
void addr_unmap(struct addr *a);

/* Writes an address as "10.0.0.1:7471" or "[::1]:7471". */
#define ADDR_TEXT 64
void addr_text(const struct addr *a, char text[ADDR_TEXT]);

/* Return and set the port of an address, in host byte order. */
NETBENCH_EXPORT uint16_t addr_port(const struct addr *a);
NETBENCH_EXPORT void addr_set_port(struct addr *a, uint16_t port);

/*
 * Splits "7471", "host:7471" or "[::1]:7471" into host ("" if missing) and port. Reports a
 * malformed text as the value of option `name`. Returns ST_OK or ST_USAGE.
 */
int net_split(const char *name, const char *text, char *host, size_t len, uint16_t *port);

/*
 * Finds at most `room` addresses of a host. `family` is AF_INET, AF_INET6 or AF_UNSPEC. If the
 * system does not know the name "localhost", uses the loop-back's addresses for it. Returns the
 * number of addresses, at least 1, or -1 with the reason in `why`.
 */
int net_resolve(const char *host, uint16_t port, int family, struct addr *list, int room, char *why,
		size_t len);

/*
 * Sets `list` to two addresses for listening on all addresses of this host. The first is an IPv6
 * address, at which sockets also accept IPv4 connections. The second is an IPv4 address, for hosts
 * without IPv6. Returns 2.
 */
#define ADDR_ANY 2
NETBENCH_EXPORT int addr_any(uint16_t port, struct addr list[ADDR_ANY]);

/*
 * Listens on the first of n addresses that is free, and copies this address to *bound. Returns a
 * non-blocking socket, or -errno.
 */
NETBENCH_EXPORT int net_listen(const struct addr *list, int n, int backlog, struct addr *bound);

/*
 * Connects to an address. Returns a non-blocking socket that sends without delay, or -errno. If
 * `prepare` is not NULL, it is called before connecting, to set socket options. If it returns a
 * value other than 0, the result is -EINVAL.
 */
NETBENCH_EXPORT int net_connect(const struct addr *a, double deadline,
				int (*prepare)(int fd, const void *arg), const void *arg);

/* Read or write exactly `len` bytes on a non-blocking socket. Return 0 or -errno. */
NETBENCH_EXPORT int net_read(int fd, void *buf, size_t len, double deadline);
NETBENCH_EXPORT int net_write(int fd, const void *buf, size_t len, double deadline);

/*
 * Waits for events of poll(2) on fd. Returns the events that occurred (revents), or 0 at the
 * deadline.
 */
NETBENCH_EXPORT int net_wait(int fd, int events, double deadline);

/*
 * Makes fd send without delay. Also makes fd fail if the peer does not answer for about
 * NET_SILENCE_S seconds.
 */
#define NET_SILENCE_S 5
void net_keepalive(int fd);

/*
 * Lists this host's addresses that other hosts may reach: those of interfaces that are up, without
 * the loop-back and without link-local IPv6. If there are none, lists the loop-back's addresses. If
 * `interface` is not NULL, lists only addresses of this interface. If `family` is not AF_UNSPEC,
 * lists only addresses of this family. Returns the number of addresses, at most `room`.
 */
struct local_addr {
	struct addr addr;
	int prefix;		/* number of bits of the address's network part */
	char interface[16];
};
NETBENCH_EXPORT int net_local(const char *interface, int family, struct local_addr *list, int room);

/*
 * Copies the n addresses of another host, `theirs`, to `list`. Addresses in one of this host's
 * networks come first. `mine` has this host's addresses. Returns n.
 */
NETBENCH_EXPORT int net_near_first(const struct local_addr *theirs, int n,
				   const struct local_addr *mine, int nmine, struct addr *list);

/* Raises this process's limit of open files to n, or to the system's maximum if that is lower. */
NETBENCH_EXPORT void net_raise_file_limit(size_t n);

/*
 * Returns ST_OK if n more files can be opened. Otherwise reports the limit and that this rank needs
 * n files, and returns ST_UNAVAILABLE. `what` says for what all ranks need files: "connections" for
 * example.
 */
NETBENCH_EXPORT int net_check_file_limit(size_t n, int rank, int ranks, const char *what);

/*
 * Returns true if addresses a and b have the same family and are equal in their first `bits` bits.
 */
bool addr_same_net(const struct addr *a, const struct addr *b, int bits);

#endif
