/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the night since which a series is slower or faster, and what changed in the records of its
 * runs. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_TREND_H
#define NETBENCH_ANALYSE_HISTORY_TREND_H

#include "analyse/changes.h"
#include "analyse/finding.h"
#include "analyse/history/nights.h"

/*
 * Number of nights in a week. The first and the final week of a series are compared. A step counts
 * as visible only if it lasts at least this many nights.
 */
#define WEEK 7

struct trend {
	const struct nights *nights;
	struct change_points *of; /* the changes of each point */
};

/*
 * Finds, for each point, the changes that exceed `least` (0.05 is 5 %). Call trend_free() at the
 * end.
 */
void trend_find_changes(struct trend *t, const struct nights *nights, double least);
void trend_free(struct trend *t);

/*
 * Adds the findings of a series. "series" is about the whole series. "slower" and "faster" are each
 * about points that may have changed in the same night. "creep" compares the final week with the
 * first week. `runs` are the runs of the nights, and `name` is the series' name.
 */
void trend_findings(const struct trend *t, const struct past_run *runs, const char *name,
		    struct findings *found);

#endif
