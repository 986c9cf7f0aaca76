/* SPDX-License-Identifier: Apache-2.0 */
/* The links of this machine to the network: their properties and their counters. */
#ifndef NETBENCH_HOST_LINKS_H
#define NETBENCH_HOST_LINKS_H

#include <jansson.h>
#include <stdbool.h>

/* A counter of errors or other trouble. */
struct link_counter {
	const char *name;	/* name of the kernel's file, or the backend's name for it */
	const char *text;	/* what people read: "CRC errors" */
	double least;		/* a smaller number in one run means nothing */
	bool cable;		/* caused by a bad cable, and by little else */
};

/*
 * Counters of network interfaces, of ports of InfiniBand devices, and of TCP. Each list ends with
 * an entry without a name.
 */
extern const struct link_counter links_ethernet[], links_infiniband[], links_tcp[];

/* Returns the counter of this name, or NULL. */
const struct link_counter *links_counter(const char *name);

/*
 * Describes each network interface except the loop-back, and each port of an InfiniBand device. The
 * key is its name ("eth0", "mlx5_0 port 1"). Its member "facts" has what devices.h describes, and
 * the distance of its NUMA node from `node`, the caller's node or -1. Its member "counters" has its
 * counters, among them "bytes": the bytes that it has carried. `root` is the directory with sys and
 * proc, "" on this machine. New reference.
 */
json_t *links_describe(const char *root, int node);

/*
 * Returns the number of segments that TCP has sent again on this machine since boot; negative if
 * unknown.
 */
double links_retransmitted(const char *root);

#endif
