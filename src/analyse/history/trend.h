/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the night since which a series is slower or faster, and what changed in its record. Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_TREND_H
#define NETBENCH_ANALYSE_HISTORY_TREND_H

#include "analyse/changes.h"
#include "analyse/finding.h"
#include "analyse/history/nights.h"

/*
 * Number of nights of the first and the last week of a series, which are compared. A visible step
 * must last so long.
 */
#define WEEK 7

struct trend {
	const struct nights *nights;
	struct change_points *of; /* the changes of each point */
};

/*
 * Finds the changes of each point that exceed `least`, 0.05 for 5 %. Call trend_free() at the end.
 */
void trend_find_changes(struct trend *t, const struct nights *nights, double least);
void trend_free(struct trend *t);

/*
 * Adds the findings of a series. "series" is about the series as a whole. "slower" and "faster" are
 * about points whose change may have happened in one night. "creep" compares the last week with the
 * first. `runs` are the runs of the nights, and `name` is the series' name. Returns ST_OK or
 * ST_FAILED (reported).
 */
int trend_findings(const struct trend *t, const struct past_run *runs, const char *name,
		   struct findings *found);

#endif
