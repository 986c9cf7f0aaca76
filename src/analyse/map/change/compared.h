/* SPDX-License-Identifier: Apache-2.0 */
/* Two results that are compared: the pairs of both, and the verdicts on their changes. */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_COMPARED_H
#define NETBENCH_ANALYSE_MAP_CHANGE_COMPARED_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

enum { A, B };

/* By how much the logarithm of something has grown, with a 95 % interval; NaN: none. */
struct shift {
	double by, lo, hi;
};

/* One quantity. */
struct change_of {
	enum quantity quantity;
	struct matrix m;		/* y of B less y of A: below 0 is slower; in some visits */
	struct shift network;		/* of all pairs */
	struct map_judged found[2];	/* slower, and faster, than the network has become */
	double se;			/* of a pair's shift; NaN: not known */
	size_t pairs, missing;		/* that can be compared; that cannot */
};

/* Hosts that both have, by name; their numbers here are those of the order of names. */
struct changes {
	struct study s[2];
	uint32_t n, *host[2];		/* and their numbers in A and B */
	char **name;			/* and their names, of A's study */
	uint32_t nonly[2], *only[2];	/* hosts of A alone, of B alone */
	struct change_of of[NQUANTITIES];
	size_t nof;
	struct rules rules;		/* to judge by, in this room */
	struct scratch room;
};

/* The shift of a pair, over all visits of A and B; y of either. NaN: not measured in both. */
double change_of_pair(const struct changes *c, const struct change_of *of, uint32_t i, uint32_t j,
		      double y[2]);

/* True if a verdict explains why a pair has changed. */
bool change_concerns(const struct map_verdict *v, uint32_t i, uint32_t j);

/* True for a pair or a direction, if it is known to be the cause. */
bool change_is_of_pair(const struct map_verdict *v);

/* The verdict that explains a pair's shift: its own, else its hosts'; NULL: none. */
const struct map_verdict *change_cause(const struct change_of *of, uint32_t i, uint32_t j);

#endif
