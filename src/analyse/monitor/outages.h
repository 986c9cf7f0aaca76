/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the times of a run over time that were not up (LOAD.md section 8). Pure. */
#ifndef NETBENCH_ANALYSE_MONITOR_OUTAGES_H
#define NETBENCH_ANALYSE_MONITOR_OUTAGES_H

#include "analyse/finding.h"
#include "analyse/monitor/rules.h"
#include "analyse/monitor/timeline.h"

/* The state of an interval. */
enum { STATE_UP, STATE_SLOW, STATE_DOWN };

struct outages {
	size_t up;		/* intervals that were up */
	size_t flaps, within_hour; /* number of flaps; most of them within an hour */
	double total_s, longest_s; /* time of all flaps, and of the longest */
	double first_at;	/* start of the first flap, s since 1970 */
	json_t *hours;		/* array: number of flaps in each hour of the day, UTC */
	double *starts;		/* start of each flap; the caller gives room for all intervals */
};

/*
 * Marks the intervals in which a track is slow: state[i] belongs to interval first + i. The usual
 * value is the median of the intervals that are up; it is found in two rounds, the second without
 * those that are slow by the first. `x` is scratch memory for all intervals.
 */
void outages_mark_slow(const struct monitored *t, const struct track *k, size_t first, double *x,
		       unsigned char *state);

/*
 * Adds the outage of the intervals from `from` to `to` - 1 to the flaps, if it is shorter than
 * flap_s and no gap is in or beside it. It is up before and after.
 */
void outages_add_flap(const struct monitored *t, size_t from, size_t to, double flap_s,
		      struct outages *o);

/*
 * Counts the intervals that are up, and the flaps: up, then not up, then up. The caller sets
 * `hours` and `starts`, and zeroes the rest.
 */
void outages_count(const struct monitored *t, const unsigned char *state, size_t first,
		   double flap_s, struct outages *o);

/*
 * Adds the findings "flaps" and "availability" (judge.h) about the intervals from `first` on.
 * Returns ST_OK, or ST_FAILED without memory (reported).
 */
int timeline_judge_outages(const struct monitored *t, size_t first, const struct timeline_rules *r,
			   struct findings *found);

#endif
