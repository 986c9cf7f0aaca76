/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a run over time (--duration) on rank 0: the plan is measured again at the start of
 * each interval. The rows of an interval go to CSV, which is the record. Memory does not grow with
 * the rows.
 */
#ifndef NETBENCH_MEASURE_MONITOR_STATE_H
#define NETBENCH_MEASURE_MONITOR_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "measure/session.h"
#include "result/record.h"

/* What a command does with the rows of a run over time. All hooks are called on rank 0. */
struct monitor_hooks {
	/* Returns the state of the command. Ends the process without memory. */
	void *(*open)(const struct session *s);
	/*
	 * Takes a row as an object of cells by name. On --resume it first gets the rows that the
	 * file has.
	 */
	void (*row)(void *state, const json_t *row);
	/* Called when an interval has ended and its rows are on disk. */
	void (*interval)(struct session *s, void *state);
	/* Adds to summary and footer. Returns the exit status of --fail-if (reported). */
	int (*conclude)(struct session *s, void *state);
	void (*close)(void *state);
};

struct monitor {
	const struct monitor_hooks *hooks;
	void *state;
	/* start of the first interval: in s since 1970 (UTC), and by clock_wall() */
	double first_utc_s, first_wall_s;
	bool first_known;		/* false: no interval has begun yet */
	size_t next;	/* number of the next interval; it starts at next times --interval */
	/* number of intervals that could not begin, because measuring the plan took longer */
	size_t skipped;
	double elapsed_s;		/* start of the current interval after the first start, s */
	char begun[40];			/* the same in UTC, as in column `begun` */
	uint64_t errors;		/* --resume: wrong messages in the rows of the file */
	/* --resume: end of the last interval in the file after the first start, s; NaN: none */
	double gap_from_s;
};

/*
 * Lists the columns that a run over time adds to those of a record. Returns their number, at most
 * MONITOR_COLUMNS.
 */
#define MONITOR_COLUMNS 3
size_t monitor_columns(const struct record *rec, enum column_id *more);

/* Returns the number of intervals that begin within the duration. */
size_t monitor_count_intervals(const struct settings *st);

/* Returns the time since the first interval began, s. It does not depend on the date. */
double monitor_elapsed(const struct session *s, const struct monitor *m);

/* Returns the present time, s since 1970 (UTC). */
double monitor_utc(void);

/* Sets the times of the interval that begins now. */
void monitor_begin(const struct session *s, struct monitor *m);

/*
 * Sets the cells `begun` and `elapsed_s` of a row, and passes the row to the command. Returns ST_OK
 * or ST_FAILED without memory (reported).
 */
int monitor_take_row(struct monitor *m, const struct record *rec, struct row *row);

/*
 * Returns whether a warning is new. Equal warnings of many intervals are given once, and at most
 * MONITOR_WARNINGS different ones, so that the record does not grow.
 */
#define MONITOR_WARNINGS 100
bool monitor_keeps_warning(const struct record *rec, const char *text);

/* Frees the state; NULL is allowed. */
void monitor_free(struct monitor *m);

#endif
