/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what a limit of --fail-if forbids would have been seen. Pure. */
#ifndef NETBENCH_ANALYSE_MAP_UNSEEN_H
#define NETBENCH_ANALYSE_MAP_UNSEEN_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/map/verdict.h"

/* How a quantity was judged: of a run, or as its result has it. */
struct map_seen {
	bool latency;		/* else bandwidth */
	bool none;		/* no verdict is possible */
	bool one_visit;		/* of each pair, and none was measured again */
	bool together;		/* nothing was measured alone */
	size_t unjudged, lost;	/* hosts; suspects: as in struct map_judged */
	size_t missing;		/* ordered pairs without a value */
	double least, least_pair;	/* relative; NaN: not known */
	double median_s;	/* latency: of all pairs */
};

/* Why a verdict that a limit forbids could have gone unseen. */
enum unseen {
	UNSEEN_NOT,		/* it would have been seen */
	UNSEEN_OTHER,		/* the limit is for another quantity */
	UNSEEN_NONE,		/* no verdict is possible */
	UNSEEN_UNSTEADY,	/* one visit does not tell what varies */
	UNSEEN_ALONE,		/* only pairs that were measured alone tell what is shared */
	UNSEEN_UNJUDGED, UNSEEN_LOST, UNSEEN_MISSING,
	UNSEEN_PAIRS,		/* one visit is too few to name a pair */
	UNSEEN_LEAST,		/* a host or pair is named from a larger effect on */
};

/*
 * The first reason. `slower`: gets the least effect of a host or pair that is named, relative, or
 * for latency s, if UNSEEN_LEAST is the reason.
 */
enum unseen limit_unseen(const struct map_limit *limit, const struct map_seen *seen,
			 double *slower);

#endif
