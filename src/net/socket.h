/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets with deadlines: what jobs over several hosts, and backend tcp, need of TCP before anything is
 * measured. Deadlines are readings of clock_wall; every function that waits takes one. Results below 0
 * are -errno; the end of the stream is -ECONNRESET.
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

/* Makes a version 4 address in version 6 clothes, as a socket that takes both has it, what it is. */
void addr_undress(struct addr *a);

/* "10.0.0.1:7471", "[::1]:7471". */
#define ADDR_TEXT 64
void addr_text(const struct addr *a, char text[ADDR_TEXT]);

/* The port of an address, and setting it; host byte order. */
NETBENCH_EXPORT uint16_t addr_port(const struct addr *a);
NETBENCH_EXPORT void addr_set_port(struct addr *a, uint16_t port);

/*
 * Splits "7471", "host:7471", "[::1]:7471" into host ("" if there is none) and port. Reports a malformed
 * one as the value of option `name`. ST_OK or ST_USAGE.
 */
int net_split(const char *name, const char *text, char *host, size_t len, uint16_t *port);

/*
 * The addresses of a host: at most `room` of them. Family AF_INET, AF_INET6 or AF_UNSPEC. Returns how
 * many, or -1 after writing the reason to `why`.
 */
int net_resolve(const char *host, uint16_t port, int family, struct addr *list, int room, char *why,
		size_t len);

/* What to listen at for all addresses of this host: version 6 takes both, 4 is for where that is missing. Returns 2. */
#define ADDR_ANY 2
NETBENCH_EXPORT int addr_any(uint16_t port, struct addr list[ADDR_ANY]);

/* A listening socket that does not block, at the first of n addresses that can be had; *bound is where. */
NETBENCH_EXPORT int net_listen(const struct addr *list, int n, int backlog, struct addr *bound);

/*
 * A connected socket that does not block and sends without delay. `prepare`, which may be NULL, sets what has to
 * be set before it connects; if it does not return 0, -EINVAL.
 */
NETBENCH_EXPORT int net_connect(const struct addr *a, double deadline, int (*prepare)(int fd, const void *arg),
		const void *arg);

/* Reads or writes exactly len bytes, on a socket that does not block. 0 or -errno. */
NETBENCH_EXPORT int net_read(int fd, void *buf, size_t len, double deadline);
NETBENCH_EXPORT int net_write(int fd, const void *buf, size_t len, double deadline);

/* Waits for events of poll(2) on fd. Its revents, 0 at the deadline. */
NETBENCH_EXPORT int net_wait(int fd, int events, double deadline);

/* Sends without delay, and makes a silent or unreachable peer known as an error within about NET_SILENCE_S. */
#define NET_SILENCE_S 5
void net_keep(int fd);

/*
 * This host's addresses that others may reach: of interfaces that are up and no loop-back, link-local IPv6
 * left out; if there are none, those of the loop-back. Only of the named interface if `interface` is not
 * NULL, only of the family if it is not AF_UNSPEC. Returns how many of at most `room`.
 */
struct local_addr {
	struct addr addr;
	int prefix;		/* length of the network's part, bits */
	char interface[16];
};
NETBENCH_EXPORT int net_local(const char *interface, int family, struct local_addr *list, int room);

/* Another host's addresses, those in a network of this one first. Fills list with all n; returns n. */
NETBENCH_EXPORT int net_near_first(const struct local_addr *theirs, int n, const struct local_addr *mine, int nmine,
		   struct addr *list);

/* Raises the limit of open files to what so many need, as far as is allowed. */
NETBENCH_EXPORT void net_raise_files(size_t n);

/* True if a and b are of one family and agree in the first `bits` bits. */
bool addr_same_net(const struct addr *a, const struct addr *b, int bits);

#endif
