/* SPDX-License-Identifier: Apache-2.0 */
/* What options say of links that the ranks of a simulated network share. Pure. */
#ifndef NETBENCH_BACKENDS_SIM_SHARING_H
#define NETBENCH_BACKENDS_SIM_SHARING_H

#include <stddef.h>
#include <stdint.h>

/*
 * How a message between two leaves gets its links: all links of a leaf are one; or one is drawn for
 * each ordered pair and meeting, or for each ordered pair.
 */
enum link_hash { HASH_NONE, HASH_MEETING, HASH_PAIR };

/* All zero: ranks share nothing. Either leaves with uplinks, or two sides with one link. */
struct sharing {
	uint64_t leaf;			/* ranks of a leaf */
	uint64_t uplinks;		/* from a leaf to the spine, and as many back */
	double rate;			/* of such a link, in those of a host's */
	enum link_hash hash;
	double link;			/* between two sides, s a byte; 0: leaves, or nothing */
	uint64_t side;			/* ranks of the first side; 0: half of them */
};

/* The words of enum link_hash; NULL ends them. */
extern const char *const sharing_hashes[];

/* Reads --sim-topology, "leaf=8,uplinks=4,rate=1,hash=none". ST_OK or ST_USAGE. */
int sharing_read(const char *text, struct sharing *to);

/*
 * Takes "link=0.2" (ns a byte) and "side=4" out of the parameters of --sim. *rest is what is left,
 * which the caller frees. ST_OK, ST_USAGE or ST_FAILED (reported).
 */
int sharing_take_link(const char *text, char **rest, struct sharing *to);

/* Adds what ", 4 uplinks .." there is, of `nranks` ranks, to a sentence. */
void sharing_describe(const struct sharing *t, int nranks, char *text, size_t len);

#endif
