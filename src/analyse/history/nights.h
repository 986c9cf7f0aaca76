/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of one series as nights: the median of a night's runs, point by point. Pure. */
#ifndef NETBENCH_ANALYSE_HISTORY_NIGHTS_H
#define NETBENCH_ANALYSE_HISTORY_NIGHTS_H

#include "analyse/history/series.h"
#include "analyse/runs/table.h"

/* A night has what starts within so many seconds of its first run. */
#define NIGHT_S (12 * 3600.0)

/* The runs of a night: all.at[first] to all.at[first + runs - 1] of the table. */
struct past_night {
	double start; /* of its first run, s since 1970; NaN: unknown */
	size_t first, runs;
};

struct nights {
	struct run_table table; /* of all runs */
	struct past_night *at;
	size_t n, points;
	double *y; /* ln of costs: y[night * points + point]; all have values */
	size_t *point; /* which of the table's; without those that most nights have no value of */
	size_t missing; /* points of most nights without a value in the given ones */
};

/*
 * How many runs are of each night. The last `given` of a list of runs are of nights with as many
 * runs as `each`; those before by their start, or each a night of its own without one.
 */
struct night_rule {
	size_t given, each;
};

/*
 * Makes nights of runs of one series, borrowed, in the order of their start. Leaves out nights that
 * lack a point of the others. `measure` names a column, NULL: the main one. ST_OK, ST_USAGE or
 * ST_FAILED (reported). For nights_free in either case.
 */
int nights_make(struct nights *nights, const struct past_run *runs, size_t n,
		const struct night_rule *rule, const char *measure);
void nights_free(struct nights *nights);

/* "14 Nov 2026", UTC; "?" for NaN. Returns buf. */
enum { NIGHT_DATE = 16 };
char *night_date(double start, char buf[NIGHT_DATE]);

#endif
