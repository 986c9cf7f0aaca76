/* SPDX-License-Identifier: Apache-2.0 */
/* Merges many results into two tables: one contains all rows, the other all verdicts. */
#ifndef NETBENCH_RESULT_STORE_TABLES_H
#define NETBENCH_RESULT_STORE_TABLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/rows.h"

/* The files. Each file is read once for the columns, and then once for the rows of each table. */
struct merging {
	char **paths;
	int n;
	/* one for each file; it stays open if the file is a pipe */
	struct result_rows *kept;
};

/* The tables that are made. */
enum { ROWS, VERDICTS, NTABLES };

/* One table: all rows, or all verdicts, of all results. The files are read again for each table. */
struct merged {
	const char *name;	/* name of the table in a database */
	/* object: name -> type (from column_type_names), in the order of the columns */
	json_t *columns;
	size_t nrows;
	struct merging *from;
	bool verdicts;
};

/*
 * Adds the columns of file i to the tables, and checks and counts its rows. Returns ST_OK, or ST_*
 * (reported).
 */
int merge_add_file(struct merged m[NTABLES], struct merging *all, int i);

/*
 * A function that takes a row, which is an object; a missing member counts as null. Returns ST_OK,
 * or ST_* (reported).
 */
typedef int merge_row_fn(void *arg, const json_t *row);

/*
 * Calls `row` for each row, in the order of the files, until a call returns a fault. Returns ST_*.
 */
int merge_each_row(const struct merged *m, merge_row_fn *row, void *arg);

#endif
