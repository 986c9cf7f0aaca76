/* SPDX-License-Identifier: Apache-2.0 */
/* Tells whether the measurement would have detected what a limit of --fail-if forbids. Pure. */
#ifndef NETBENCH_ANALYSE_MAP_UNSEEN_H
#define NETBENCH_ANALYSE_MAP_UNSEEN_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/map/verdict.h"

/* How a quantity was judged in a run or its result. */
struct map_seen {
	bool latency;		/* true: latency; false: bandwidth */
	bool none;		/* no verdict is possible */
	bool one_visit;		/* each pair has one visit, and none was measured again */
	bool together;		/* no pair was measured alone */
	size_t unjudged, lost;	/* numbers of hosts and of suspects, as in struct map_judged */
	size_t missing;		/* ordered pairs without a value */
	/* smallest relative effect of a named host, and of a named pair; NaN: not known */
	double least, least_pair;
	double median_s;	/* latency: median of all pairs, s */
};

/* Why a verdict that a limit forbids may have gone undetected. */
enum unseen {
	UNSEEN_NOT,		/* it would have been detected */
	UNSEEN_OTHER,		/* the limit is for another quantity */
	UNSEEN_NONE,		/* no verdict is possible */
	UNSEEN_UNSTEADY,	/* one visit does not show what varies */
	UNSEEN_ALONE,		/* only pairs that were measured alone show shared links */
	UNSEEN_UNJUDGED, UNSEEN_LOST, UNSEEN_MISSING,
	UNSEEN_PAIRS,		/* one visit is not enough to name a pair */
	UNSEEN_LEAST,	/* a host or pair is named only if its effect is larger than the limit */
};

/*
 * Returns the first reason that applies. For UNSEEN_LEAST it sets *slower to the smallest effect of
 * a host or pair that is named: relative, or for latency in s.
 */
enum unseen explain_unseen(const struct map_limit *limit, const struct map_seen *seen,
			 double *slower);

#endif
