/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a run over time: one value for each interval and series. The rows come one by one,
 * from the run itself or from its CSV. Pure.
 */
#ifndef NETBENCH_ANALYSE_MONITOR_TIMELINE_H
#define NETBENCH_ANALYSE_MONITOR_TIMELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/columns.h"

/*
 * Most bytes that the values may have, together with the memory for judging a series. Beyond it
 * every second interval that is up is removed from the older half.
 */
#define TIMELINE_MOST ((size_t)64 << 20)

/* A series: a column of the rows of one point. */
struct track {
	size_t point;		/* index in timeline.points */
	enum column_id id;
	bool level;		/* the column is a median or a rate: it can show a slow interval */
	double *x;		/* value in each interval; NaN: none */
	double told_s;		/* time of the latest change that was printed; 0: none */
};

enum { INTERVAL_DOWN = 1, INTERVAL_AFTER_GAP = 2 };	/* flags of an interval */

/* A zeroed struct is empty. */
struct monitored {
	double *at;		/* start of each interval, s since 1970 (UTC) */
	unsigned char *flags;
	size_t n, room;
	struct track *tracks;
	size_t ntracks;
	json_t *points;		/* array: the cells that identify each point, by name */
	size_t removed;		/* intervals that were up and removed to save memory */
	size_t most;		/* most bytes; 0: TIMELINE_MOST */
	/* the latest interval: column `begun`, its rows, the rows of the interval before it */
	char begun[40];
	size_t rows, rows_before;
	size_t hint;		/* index of the point that the next row probably has */
	bool gap;		/* a gap precedes the next interval */
};

/*
 * Adds a row, an object of cells by name. Rows of an interval have the same `begun` and follow each
 * other. A row without `begun` is ignored. Ends the process without memory.
 */
void timeline_add(struct monitored *t, const json_t *row);

/* Removes the latest interval if it has fewer rows than the interval before it. */
void timeline_drop_incomplete(struct monitored *t);

/*
 * Writes the name of a track's point: those of its cells that differ between points, such as
 * "size_B 8, window 64"; "" if none differ. Returns buf.
 */
char *timeline_point_name(const struct monitored *t, const struct track *track, char *buf,
			  size_t len);

/*
 * Writes a time as "14:03:20", or as "28 Nov 14:03:20" if the intervals are of several days, UTC.
 * Returns buf.
 */
enum { TIMELINE_TIME = 24 };
char *timeline_time(const struct monitored *t, double at, char buf[TIMELINE_TIME]);

/*
 * Removes every second interval of the older half. Keeps intervals that are down, those after a
 * gap, and the neighbours of both, so that outages keep their times. Slow intervals may go.
 */
void timeline_thin(struct monitored *t);

/* Returns the index of the point of a row. Adds a point that is new. */
size_t timeline_point(struct monitored *t, const json_t *row);

void timeline_free(struct monitored *t);

#endif
