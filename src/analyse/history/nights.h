/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups the runs of one series into nights. A night's value at a point is the median of its runs.
 * Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_NIGHTS_H
#define NETBENCH_ANALYSE_HISTORY_NIGHTS_H

#include "analyse/history/series.h"
#include "analyse/runs/table.h"

/* A night contains the runs that start within this number of seconds of its first run. */
#define NIGHT_S (12 * 3600.0)

/* A night. Its runs are the results `first` to first + runs - 1 of the run_table. */
struct past_night {
	double start; /* start of its first run, s since 1970; NaN: unknown */
	size_t first, runs;
};

struct nights {
	struct run_table table; /* the table of all runs */
	struct past_night *at;
	size_t n, points;
	double *y; /* ln of costs: y[night * points + point]; each has a value */
	/* index of each point in the table; points that most nights lack are left out */
	size_t *point;
	size_t missing; /* number of points that most nights have but the given nights lack */
};

/*
 * The rule by which runs are grouped into nights. The final `given` runs of a list form nights of
 * `each` runs. Earlier runs are grouped by their start; a run without a start is a night of its
 * own.
 */
struct night_rule {
	size_t given, each;
};

/*
 * Groups the runs of one series, which are in the order of their start, into nights. The runs are
 * borrowed. Leaves out nights that lack a chosen point. `measure` names a column; NULL: the main
 * one. Returns ST_OK, ST_USAGE or ST_FAILED (reported). Call nights_free() in either case.
 */
int nights_make(struct nights *nights, const struct past_run *runs, size_t n,
		const struct night_rule *rule, const char *measure);
void nights_free(struct nights *nights);

/* Writes a date as "14 Nov 2026", UTC; "?" for NaN. Returns buf. */
enum { NIGHT_DATE = 16 };
char *night_date(double start, char buf[NIGHT_DATE]);

#endif
