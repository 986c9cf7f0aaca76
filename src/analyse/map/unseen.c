/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/unseen.h"

#include <math.h>
#include <string.h>

/*
 * Returns the reason why a host or pair that is as slow as the limit may have no verdict;
 * UNSEEN_NOT if it has one.
 */
static enum unseen explain_unseen_effect(const struct map_limit *limit, const struct map_seen *seen,
					 double *slower)
{
	bool host = !strncmp(limit->kind, "host", 4);
	double least = host ? seen->least : seen->least_pair;

	if (!host && strcmp(limit->kind, "pair") != 0 && strcmp(limit->kind, "direction") != 0)
		return UNSEEN_NOT;
	if (!host && seen->missing)
		return UNSEEN_MISSING;
	if (isnan(least))
		return UNSEEN_PAIRS;
	*slower = seen->latency ? seen->median_s * least / (1 - least) : least;
	return *slower > (seen->latency ? limit->seconds : limit->relative * (1 + 1e-6))
	       ? UNSEEN_LEAST : UNSEEN_NOT;
}

enum unseen explain_unseen(const struct map_limit *limit, const struct map_seen *seen,
			 double *slower)
{
	if (!strcmp(limit->kind, "unreachable") ||
	    (!limit_covers_all(limit) && isnan(seen->latency ? limit->seconds : limit->relative)))
		return UNSEEN_OTHER;
	if (seen->none)
		return UNSEEN_NONE;
	if (!strcmp(limit->kind, "unsteady") && seen->one_visit)
		return UNSEEN_UNSTEADY;
	if (!strcmp(limit->kind, "shared") && seen->together)
		return UNSEEN_ALONE;
	/* the search for groups also covers hosts that were not judged */
	if (seen->unjudged && strcmp(limit->kind, "group") != 0)
		return UNSEEN_UNJUDGED;
	return seen->lost ? UNSEEN_LOST : explain_unseen_effect(limit, seen, slower);
}
