/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets with deadlines, for TCP that jobs over several hosts and backends use before measuring. A
 * deadline is a reading of clock_wall. Every function that waits takes a deadline and keeps it,
 * even if the peer sends only a few bytes at a time. A result below 0 is -errno. The end of the
 * stream is -ECONNRESET.
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
 * Turns ::ffff:a.b.c.d into a plain IPv4 address. Sockets for both versions report IPv4 addresses
 * in that form.
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
 * Finds at most `room` addresses of a host. Family is AF_INET, AF_INET6 or AF_UNSPEC. If the name
 * "localhost" is unknown, it has the addresses of the loop-back. Returns how many it has found, at
 * least 1, or -1 with the reason in `why`.
 */
int net_resolve(const char *host, uint16_t port, int family, struct addr *list, int room, char *why,
		size_t len);

/*
 * Makes the addresses on which to listen for all: IPv6, which accepts IPv4 as well, and IPv4 for
 * hosts without IPv6. Returns 2.
 */
#define ADDR_ANY 2
NETBENCH_EXPORT int addr_any(uint16_t port, struct addr list[ADDR_ANY]);

/*
 * Listens on the first of n addresses that is free, which is copied to *bound. Returns the socket,
 * which does not block, or -errno.
 */
NETBENCH_EXPORT int net_listen(const struct addr *list, int n, int backlog, struct addr *bound);

/*
 * Connects to an address. Returns a non-blocking socket that sends without delay, or -errno.
 * `prepare` may be NULL. Otherwise it sets socket options before the connection is made; if it
 * returns other than 0, the result is -EINVAL.
 */
NETBENCH_EXPORT int net_connect(const struct addr *a, double deadline,
				int (*prepare)(int fd, const void *arg), const void *arg);

/* Read or write exactly `len` bytes on a socket that does not block. Return 0 or -errno. */
NETBENCH_EXPORT int net_read(int fd, void *buf, size_t len, double deadline);
NETBENCH_EXPORT int net_write(int fd, const void *buf, size_t len, double deadline);

/* Waits for events of poll(2) on fd. Returns its revents, or 0 at the deadline. */
NETBENCH_EXPORT int net_wait(int fd, int events, double deadline);

/*
 * Makes fd send without delay, and report a silent peer as an error after about NET_SILENCE_S
 * seconds.
 */
#define NET_SILENCE_S 5
void net_keepalive(int fd);

/*
 * Lists this host's addresses that other hosts may reach: the addresses of interfaces that are up,
 * without the loop-back and without link-local IPv6. If that leaves none, lists the addresses of
 * the loop-back. `interface`, unless it is NULL, selects one interface. A family other than
 * AF_UNSPEC selects that family. Returns how many, at most `room`.
 */
struct local_addr {
	struct addr addr;
	int prefix;		/* bits of the network part */
	char interface[16];
};
NETBENCH_EXPORT int net_local(const char *interface, int family, struct local_addr *list, int room);

/*
 * Fills `list` with all n addresses of a host. Addresses in one of this host's networks come first.
 * Returns n.
 */
NETBENCH_EXPORT int net_near_first(const struct local_addr *theirs, int n,
				   const struct local_addr *mine, int nmine, struct addr *list);

/* Raises the limit of open files to n, as far as allowed. */
NETBENCH_EXPORT void net_raise_file_limit(size_t n);

/*
 * Checks that n more files can be opened, and returns ST_OK. Otherwise returns ST_UNAVAILABLE,
 * after reporting the limit and how many files this rank needs for the `what`, "connections" for
 * example, of all ranks.
 */
NETBENCH_EXPORT int net_check_file_limit(size_t n, int rank, int ranks, const char *what);

/* Returns true if a and b have the same family and the same first `bits` bits. */
bool addr_same_net(const struct addr *a, const struct addr *b, int bits);

#endif
