/* SPDX-License-Identifier: Apache-2.0 */
/* Two results that are compared: their common pairs, and the verdicts on the changes. */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_COMPARED_H
#define NETBENCH_ANALYSE_MAP_CHANGE_COMPARED_H

#include "analyse/map/judge/rules.h"
#include "analyse/map/verdict.h"

enum { A, B };

/* A shift: the increase of a value's logarithm, with a 95 % interval; NaN: none. */
struct shift {
	double by, lo, hi;
};

/* The comparison of one quantity. */
struct change_of {
	enum quantity quantity;
	struct matrix m; /* y of B minus y of A, for each visit; negative: B is slower */
	struct shift network;		/* common change of all pairs */
	/*
	 * [0]: verdicts on hosts and pairs that became slower than the network's change explains;
	 * [1]: on those that became faster
	 */
	struct map_judged found[2];
	double se;			/* standard error of a pair's shift; NaN: not known */
	/*
	 * `pairs`: number of pairs with values in both results; `missing`: number of all other
	 * pairs
	 */
	size_t pairs, missing;
};

/* The hosts that both results have. They are numbered in the order of their names. */
struct changes {
	struct study s[2];
	/* number of hosts; host[0][i] and host[1][i]: number of host i in A and in B */
	uint32_t n, *host[2];
	char **name;			/* names of the hosts, owned by A's study */
	uint32_t nonly[2], *only[2];	/* hosts that only A has, and that only B has */
	struct change_of of[NQUANTITIES];
	size_t nof;
	struct rules rules;		/* rules of judging; they use the room below */
	struct scratch room;
};

/*
 * Returns the shift of a pair over all visits of A and B. Sets y[0] and y[1] to its values in A and
 * B. NaN unless both results have the pair.
 */
double change_of_pair(const struct changes *c, const struct change_of *of, uint32_t i, uint32_t j,
		      double y[2]);

/* True if a verdict is about a pair or its hosts, so that it can explain the pair's change. */
bool verdict_concerns_pair(const struct map_verdict *v, uint32_t i, uint32_t j);

/* True for a verdict on a pair, or on a direction, whose cause is not ambiguous. */
bool verdict_is_of_pair(const struct map_verdict *v);

/*
 * Returns the verdict that explains a pair's shift: one on the pair, or else one on its hosts;
 * NULL: none.
 */
const struct map_verdict *change_cause(const struct change_of *of, uint32_t i, uint32_t j);

#endif
