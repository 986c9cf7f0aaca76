/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets with deadlines: the TCP that jobs over several hosts and backends use before anything is
 * measured. Deadlines are readings of clock_wall; every function that waits takes one and keeps it,
 * however few bytes the peer sends at a time. Results below 0 are -errno; the end of the stream is
 * -ECONNRESET.
 */
#ifndef NETBENCH_NET_SOCKET_H
#define NETBENCH_NET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/export.h"

/* An address of a socket. */
struct addr {
	struct sockaddr_storage a;
	socklen_t len;
};

/* Turns ::ffff:a.b.c.d, as sockets for both versions report IPv4, into a plain IPv4 address. */
void addr_unmap(struct addr *a);

/* "10.0.0.1:7471", "[::1]:7471". */
#define ADDR_TEXT 64
void addr_text(const struct addr *a, char text[ADDR_TEXT]);

/* The port of an address, and setting it; host byte order. */
NETBENCH_EXPORT uint16_t addr_port(const struct addr *a);
NETBENCH_EXPORT void addr_set_port(struct addr *a, uint16_t port);

/*
 * Splits "7471", "host:7471", "[::1]:7471" into host (may be "") and port. Reports a malformed one
 * as the value of option `name`. ST_OK or ST_USAGE.
 */
int net_split(const char *name, const char *text, char *host, size_t len, uint16_t *port);

/*
 * The first `room` addresses of a host. Family AF_INET, AF_INET6 or AF_UNSPEC. Where nobody knows
 * "localhost", it has those of the loopback. Returns how many, at least 1, or -1 with the reason in
 * `why`.
 */
int net_resolve(const char *host, uint16_t port, int family, struct addr *list, int room, char *why,
		size_t len);

/* Where to listen for all addresses: IPv6, which takes both, IPv4 for hosts without. Returns 2. */
#define ADDR_ANY 2
NETBENCH_EXPORT int addr_any(uint16_t port, struct addr list[ADDR_ANY]);

/* A socket that listens, without blocking, at the first free one of n addresses: *bound. */
NETBENCH_EXPORT int net_listen(const struct addr *list, int n, int backlog, struct addr *bound);

/*
 * A connected socket that does not block and sends without delay. `prepare`, which may be NULL,
 * sets options that have to be set before it connects; -EINVAL if it does not return 0.
 */
NETBENCH_EXPORT int net_connect(const struct addr *a, double deadline,
				int (*prepare)(int fd, const void *arg), const void *arg);

/* Reads or writes exactly len bytes, on a socket that does not block. 0 or -errno. */
NETBENCH_EXPORT int net_read(int fd, void *buf, size_t len, double deadline);
NETBENCH_EXPORT int net_write(int fd, const void *buf, size_t len, double deadline);

/* Waits for events of poll(2) on fd. Its revents, 0 at the deadline. */
NETBENCH_EXPORT int net_wait(int fd, int events, double deadline);

/* Makes fd send without delay, and report a silent peer as an error after NET_SILENCE_S or so. */
#define NET_SILENCE_S 5
void net_keepalive(int fd);

/*
 * This host's addresses that others may reach: those of interfaces that are up, without the
 * loop-back and link-local IPv6. If that leaves none, those of the loop-back. `interface` selects
 * one interface, unless it is NULL; a family other than AF_UNSPEC selects that family. Returns how
 * many, at most `room`.
 */
struct local_addr {
	struct addr addr;
	int prefix;		/* length of the network's part, bits */
	char interface[16];
};
NETBENCH_EXPORT int net_local(const char *interface, int family, struct local_addr *list, int room);

/* Fills list with all n addresses of a host, those in a network of this one first. Returns n. */
NETBENCH_EXPORT int net_near_first(const struct local_addr *theirs, int n,
				   const struct local_addr *mine, int nmine, struct addr *list);

/* Raises the limit of open files to n, as far as is allowed. */
NETBENCH_EXPORT void net_raise_files(size_t n);

/*
 * Refuses what would run out of open files. ST_OK if n more can be opened. Else ST_UNAVAILABLE,
 * after reporting the limit and what this rank needs for the `what`, "connections", of all ranks.
 */
NETBENCH_EXPORT int net_need_files(size_t n, int rank, int ranks, const char *what);

/* True if a and b are of one family and agree in the first `bits` bits. */
bool addr_same_net(const struct addr *a, const struct addr *b, int bits);

#endif
