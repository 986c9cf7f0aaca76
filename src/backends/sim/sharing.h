/* SPDX-License-Identifier: Apache-2.0 */
/* The options for links that the ranks of a simulated network share. */
#ifndef NETBENCH_BACKENDS_SIM_SHARING_H
#define NETBENCH_BACKENDS_SIM_SHARING_H

#include <stddef.h>
#include <stdint.h>

/*
 * How a message between two leaves chooses its links. NONE: all links of a leaf act as one.
 * MEETING: drawn for each ordered pair of ranks and each meeting. PAIR: drawn for each ordered
 * pair. A meeting is a series of rounds of one rank with the same peer.
 */
enum link_hash { HASH_NONE, HASH_MEETING, HASH_PAIR };

/*
 * Links that ranks share: either leaves with uplinks, or two sides with one link between them. All
 * zero: ranks share nothing.
 */
struct sharing {
	uint64_t leaf;			/* number of ranks in a leaf */
	uint64_t uplinks;		/* links from a leaf to the spine; as many lead back */
	double rate;			/* bandwidth of such a link relative to a host's link */
	enum link_hash hash;
	/* time per byte on the link between two sides, s; 0: no such link */
	double link;
	uint64_t side;			/* ranks of the first side; 0: half of all ranks */
};

/* The option words of enum link_hash; NULL ends the list. */
extern const char *const sharing_hashes[];

/* Parses --sim-topology, "leaf=8,uplinks=4,rate=1,hash=none". Returns ST_OK or ST_USAGE. */
int sharing_read(const char *text, struct sharing *to);

/*
 * Parses "link=0.2" (ns per byte) and "side=4" from the parameters of --sim. *rest holds the other
 * parameters; the caller frees it. Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 */
int sharing_parse_link(const char *text, char **rest, struct sharing *to);

/*
 * Writes a description of the shared links to text, for a job of `nranks` ranks: ", 4 uplinks ...".
 */
void sharing_describe(const struct sharing *t, int nranks, char *text, size_t len);

#endif
