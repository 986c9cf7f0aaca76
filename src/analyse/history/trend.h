/* SPDX-License-Identifier: Apache-2.0 */
/* Since when the nights of a series are slower or faster, and what changed in the record. Pure. */
#ifndef NETBENCH_ANALYSE_HISTORY_TREND_H
#define NETBENCH_ANALYSE_HISTORY_TREND_H

#include "analyse/changes.h"
#include "analyse/finding.h"
#include "analyse/history/nights.h"

/* Nights that the first and the last of a series are compared by, and that a step has to last. */
#define WEEK 7

struct trend {
	const struct nights *nights;
	struct change_points *of; /* of each point */
};

/*
 * Finds the changes of each point by more than `least`, 0.05 for 5 %; for trend_free.
 */
void trend_find(struct trend *t, const struct nights *nights, double least);
void trend_free(struct trend *t);

/*
 * Adds the findings of a series: one of it as a whole ("series"); one for the points that became
 * slower, or faster, in what may be one night ("slower", "faster"); and the last week against the
 * first ("creep"). `runs` are those of the nights; `name` is the series'.
 * ST_OK or ST_FAILED (reported).
 */
int trend_findings(const struct trend *t, const struct past_run *runs, const char *name,
		   struct findings *found);

#endif
