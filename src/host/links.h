/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the links of this machine to the network: their properties and their counters. */
#ifndef NETBENCH_HOST_LINKS_H
#define NETBENCH_HOST_LINKS_H

#include <jansson.h>
#include <stdbool.h>

/* A counter of errors or other trouble. */
struct link_counter {
	const char *name;	/* name of the kernel's file, or the backend's name for it */
	const char *text;	/* name in messages: "CRC errors" */
	double least;		/* smallest increase during one run that is a sign of trouble */
	bool cable;		/* true: a bad cable is nearly the only cause */
};

/*
 * Known counters of network interfaces, of ports of InfiniBand devices, and of TCP. Each list ends
 * with an entry without a name.
 */
extern const struct link_counter links_ethernet[], links_infiniband[], links_tcp[];

/* Returns the counter of this name, or NULL. */
const struct link_counter *links_counter(const char *name);

/*
 * Describes each network interface except the loop-back, and each port of an InfiniBand device.
 * Returns an object, a new reference. Its keys are the names of the links ("eth0", "mlx5_0 port
 * 1").
 *
 * Member "facts" of a link has the facts of devices.h, and the link's NUMA distance from `node`.
 * `node` is the caller's NUMA node, or -1. Member "counters" has the link's counters; its member
 * "bytes" is the number of bytes carried. `root` is the directory with sys and proc, "" on this
 * machine.
 */
json_t *links_describe(const char *root, int node);

/*
 * Returns the number of segments that TCP has sent again on this machine since boot; negative if
 * unknown.
 */
double links_retransmitted(const char *root);

#endif
