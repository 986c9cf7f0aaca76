/* SPDX-License-Identifier: Apache-2.0 */
/* The options that describe links shared by the ranks of a simulated network. */
#ifndef NETBENCH_BACKENDS_SIM_SHARING_H
#define NETBENCH_BACKENDS_SIM_SHARING_H

#include <stddef.h>
#include <stdint.h>

/*
 * Rule by which a message from one leaf to another chooses its links. NONE: the links of a leaf act
 * as a single link. MEETING: the links are drawn at random for each ordered pair of ranks and each
 * meeting. PAIR: the links are drawn once for each ordered pair of ranks. A meeting is a series of
 * rounds of one rank with the same peer.
 */
enum link_hash { HASH_NONE, HASH_MEETING, HASH_PAIR };

/*
 * The links that ranks share. Either leaves have uplinks, or two sides have one link between them.
 * If all members are 0, ranks share nothing.
 */
struct sharing {
	uint64_t leaf;			/* number of ranks in a leaf */
	/* number of links from a leaf to the spine; also number of links back */
	uint64_t uplinks;
	/* bandwidth of an uplink, divided by the bandwidth of a host's link */
	double rate;
	enum link_hash hash;
	/* time per byte on the link between two sides, s; 0: no such link */
	double link;
	/* number of ranks on the first side; 0: half of all ranks */
	uint64_t side;
};

/* The values of option item `hash`, indexed by enum link_hash. NULL ends the list. */
extern const char *const sharing_hashes[];

/* Parses --sim-topology, "leaf=8,uplinks=4,rate=1,hash=none". Returns ST_OK or ST_USAGE. */
int sharing_read(const char *text, struct sharing *to);

/*
 * Parses "link=0.2" (ns per byte) and "side=4" from the parameters of --sim. *rest becomes a text
 * with the other parameters, which the caller frees. Returns ST_OK, ST_USAGE or ST_FAILED
 * (reported).
 */
int sharing_parse_link(const char *text, char **rest, struct sharing *to);

/*
 * Writes a description of the links that `nranks` ranks share, such as ", 4 uplinks ...", to text.
 */
void sharing_describe(const struct sharing *t, int nranks, char *text, size_t len);

#endif
