/* SPDX-License-Identifier: Apache-2.0 */
/* A table of the costs of many results of one benchmark at their common points. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_TABLE_H
#define NETBENCH_ANALYSE_RUNS_TABLE_H

#include "analyse/compare/two.h"

/* A result, and its name in messages. Both are borrowed. */
struct run_result {
	const char *name;
	json_t *doc;
};

/*
 * The points are those of the first two results. If both have b_eff and the measure is a bandwidth,
 * b_eff is the last point (pairs.score).
 */
struct run_table {
	struct two *twos; /* allocated by run_table_from_list(); NULL: the caller owns the chain */
	struct row_pairs pairs;		/* the rows of the points */
	struct measure measure;
	size_t results;
	json_t **doc;			/* the document of each result, borrowed */
	int *side;			/* the side of each result, A or B */
	double *y;	/* ln of costs, (R1): y[point * results + result]; NaN: no value */
	size_t points;			/* pairs.n */
};

/*
 * Makes the table from the results in a chain of struct two. One result of a struct two may be
 * missing. `measure` names a column; NULL: the main column. Returns ST_OK, ST_USAGE or ST_FAILED
 * (reported). Call run_table_free() in either case.
 */
int run_table_make(struct run_table *t, const struct compared *all, const char *measure);

/* Makes the table from an array of n results. A single result is used twice. */
int run_table_from_list(struct run_table *t, const struct run_result *results, size_t n,
		 const char *measure);
void run_table_free(struct run_table *t);

/* Converts the logarithm of a cost to a value of the measure, a time or a rate. */
double run_table_value(const struct run_table *t, double y);

/* Writes the name of a point, such as "size_B 64" or "b_eff". Returns buf. */
char *run_table_name(const struct run_table *t, size_t point, char *buf, size_t len);

#endif
