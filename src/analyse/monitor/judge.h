/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a run over time: lasting changes, flaps, and availability (LOAD.md section 8). Pure. */
#ifndef NETBENCH_ANALYSE_MONITOR_JUDGE_H
#define NETBENCH_ANALYSE_MONITOR_JUDGE_H

#include "analyse/finding.h"
#include "analyse/monitor/rules.h"
#include "analyse/monitor/timeline.h"

/*
 * Takes the rules from the options of a result: "interval", "change" and "flap". The limits stay
 * NaN.
 */
struct timeline_rules timeline_rules_from(const json_t *options);

/*
 * Adds the findings about the intervals from `first` on:
 *
 *	monitor		whether anything changed; the effect is the smallest lasting change that
 *			would have been seen
 *	change		each lasting change of a track (67); `of` is the index of the track
 *	change_limit	whether a change for the worse exceeds fail_change, if it is given
 *	flaps		number of flaps: up, then down or slow for less than flap_s, then up
 *	availability	share of the intervals that are up
 *
 * An interval is down if a point had no event or a wrong message. It is slow if a median of it is
 * more than twice its track's median over the intervals that are up, or a rate less than half. It
 * is up otherwise. Returns ST_OK, or ST_FAILED without memory (reported).
 */
int timeline_judge(const struct monitored *t, size_t first, const struct timeline_rules *rules,
		   struct findings *found);

#endif
