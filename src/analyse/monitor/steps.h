/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the lasting changes of a run over time (LOAD.md, (67)). Pure. */
#ifndef NETBENCH_ANALYSE_MONITOR_STEPS_H
#define NETBENCH_ANALYSE_MONITOR_STEPS_H

#include "analyse/changes.h"
#include "analyse/finding.h"
#include "analyse/monitor/rules.h"
#include "analyse/monitor/timeline.h"

/*
 * Adds the findings "monitor", "change" and "change_limit" (judge.h) about the intervals from
 * `first` on. Returns ST_OK, or ST_FAILED without memory (reported).
 */
int timeline_judge_changes(const struct monitored *t, size_t first, const struct timeline_rules *r,
			   struct findings *found);

/*
 * Like change_points_find() for a series of any length: cuts a long one into overlapping pieces, so
 * that the time grows in proportion to n. *visible gets the smallest step that would be detected if
 * it lasted for `width` values, or for half of a shorter series; NaN: none would.
 */
int changes_of_long_series(const double *x, size_t n, double least, size_t width,
			   struct change_points *found, double *visible);

#endif
