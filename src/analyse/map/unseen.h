/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells whether the measurement would have detected the faults that a limit of --fail-if forbids.
 * Pure.
 */
#ifndef NETBENCH_ANALYSE_MAP_UNSEEN_H
#define NETBENCH_ANALYSE_MAP_UNSEEN_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/map/verdict.h"

/* How a quantity was judged, in a run or in the result of a run. */
struct map_seen {
	bool latency;		/* true: latency; false: bandwidth */
	bool none;		/* no verdict is possible */
	bool one_visit;		/* each pair has one visit, and there was no retest */
	bool together;		/* no pair was measured alone */
	size_t unjudged, lost;	/* unjudged hosts and lost suspects, as in struct map_judged */
	size_t missing;		/* ordered pairs without a value */
	/* smallest relative effect for a verdict on a host, and on a pair; NaN: not known */
	double least, least_pair;
	double median_s;	/* latency: median of all pairs, s */
};

/* The reason why a fault that a limit forbids may be undetected. */
enum unseen {
	UNSEEN_NOT,		/* the fault would have been detected */
	UNSEEN_OTHER,		/* the limit is for another quantity */
	UNSEEN_NONE,		/* no verdict is possible */
	UNSEEN_UNSTEADY,	/* one visit does not show which hosts vary */
	UNSEEN_ALONE,		/* only pairs that were measured alone show shared links */
	UNSEEN_UNJUDGED, UNSEEN_LOST, UNSEEN_MISSING,
	UNSEEN_PAIRS,		/* one visit is not enough to name a pair */
	UNSEEN_LEAST,	/* the smallest effect for a verdict is larger than the limit */
};

/*
 * Returns the first reason that applies. For UNSEEN_LEAST it sets *slower to the smallest effect
 * for a verdict on a host or pair: relative, or for latency in s.
 */
enum unseen explain_unseen(const struct map_limit *limit, const struct map_seen *seen,
			 double *slower);

#endif
