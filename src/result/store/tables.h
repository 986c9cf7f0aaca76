/* SPDX-License-Identifier: Apache-2.0 */
/* Merges many results into tables: one of their rows, and one of their verdicts. */
#ifndef NETBENCH_RESULT_STORE_TABLES_H
#define NETBENCH_RESULT_STORE_TABLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/rows.h"

/* The files. Each is read once for the columns, and again for the rows of each table. */
struct merging {
	char **paths;
	int n;
	/* one for each file; it stays open if the file cannot be opened again */
	struct result_rows *kept;
};

/* The tables that are made. */
enum { ROWS, VERDICTS, NTABLES };

/* One table: all rows of all results, or all verdicts. The files are read again for each table. */
struct merged {
	const char *name;	/* of the table in a database */
	json_t *columns;	/* object, in their order: name -> type, as column_type_names */
	size_t nrows;
	struct merging *from;
	bool verdicts;
};

/*
 * Adds the columns of file i to the tables, and checks and counts its rows. Returns ST_OK, or ST_*
 * (reported).
 */
int merge_add_file(struct merged m[NTABLES], struct merging *all, int i);

/* Receives a row, which is an object; a missing cell is null. Returns ST_OK, or ST_* (reported). */
typedef int merge_row_fn(void *arg, const json_t *row);

/* Calls `row` for each row, in the order of the files, until one returns a fault. Returns ST_*. */
int merge_each_row(const struct merged *m, merge_row_fn *row, void *arg);

#endif
