/* SPDX-License-Identifier: Apache-2.0 */
/* The links of this machine to the network: what they are like, and what they have counted. */
#ifndef NETBENCH_HOST_LINKS_H
#define NETBENCH_HOST_LINKS_H

#include <jansson.h>
#include <stdbool.h>

/* A counter that tells of trouble. */
struct link_counter {
	const char *name;	/* of the file, or as a backend calls it */
	const char *text;	/* "CRC errors" */
	double least;		/* fewer in a run mean nothing */
	bool cable;		/* what a bad cable makes, and little else */
};

/*
 * Counters of network interfaces, of ports of InfiniBand devices, of TCP. Each list ends without
 * name.
 */
extern const struct link_counter links_ethernet[], links_infiniband[], links_tcp[];

/* The counter of that name, or NULL. */
const struct link_counter *links_counter(const char *name);

/*
 * Each network interface but the loop-back, and each port of an InfiniBand device, by its name
 * ("eth0", "mlx5_0 port 1"): "facts" (as devices.h has them; distance of its NUMA node to `node`,
 * which is the caller's, or -1) and "counters", with "bytes", which it has carried. `root` is where
 * sys and proc are: "". New reference.
 */
json_t *links_look(const char *root, int node);

/* Segments that TCP has sent again on this machine since it started; negative if unknown. */
double links_retransmitted(const char *root);

#endif
