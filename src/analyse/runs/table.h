/* SPDX-License-Identifier: Apache-2.0 */
/* What many results of one benchmark measured at the points that they share. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_TABLE_H
#define NETBENCH_ANALYSE_RUNS_TABLE_H

#include "analyse/compare/two.h"

/* A result and its name in messages. Borrowed. */
struct run_result {
	const char *name;
	json_t *doc;
};

/*
 * Points are rows of the first two results; the last one is b_eff if they have it and the measure
 * is a bandwidth (pairs.score).
 */
struct run_table {
	struct two *twos;		/* its own; NULL: they are the caller's */
	struct row_pairs pairs;		/* the rows of the points */
	struct measure measure;
	size_t results;
	json_t **doc;			/* of each result, borrowed */
	int *side;			/* A or B, of each result */
	double *y;	/* ln of costs, (R1): y[point * results + result]; NaN: it has no value */
	size_t points;			/* pairs.n */
};

/*
 * Finds the points and the values of the results in a chain of twos, where one may be missing.
 * `measure` names a column, NULL: the main one. ST_OK, ST_USAGE or ST_FAILED (reported). For
 * run_table_free in either case.
 */
int run_table_make(struct run_table *t, const struct compared *all, const char *measure);

/* The same of n results. A single one counts twice. */
int run_table_of(struct run_table *t, const struct run_result *results, size_t n,
		 const char *measure);
void run_table_free(struct run_table *t);

/* The value of the measure, a time or a rate, whose cost has this logarithm. */
double run_table_value(const struct run_table *t, double y);

/* "size_B 64" or "b_eff". Returns buf. */
char *run_table_name(const struct run_table *t, size_t point, char *buf, size_t len);

#endif
