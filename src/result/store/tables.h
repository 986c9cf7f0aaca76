/* SPDX-License-Identifier: Apache-2.0 */
/* Many results as one table: a row for each of their rows, or verdicts. */
#ifndef NETBENCH_RESULT_STORE_TABLES_H
#define NETBENCH_RESULT_STORE_TABLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/rows.h"

/* The files, which are read twice: for the columns, and for the rows. */
struct merging {
	char **paths;
	int n;
	struct result_rows *kept;	/* of each; open if it cannot be opened again */
};

/* What is merged: each a table by itself. */
enum { ROWS, VERDICTS, NTABLES };

/* All rows of all results, or all verdicts; the files are read again for each table. */
struct merged {
	const char *name;	/* of the table in a database */
	json_t *columns;	/* object, in their order: name -> type, as column_type_names */
	size_t nrows;
	struct merging *from;
	bool verdicts;
};

/*
 * Adds the columns of file i to those of the tables, and checks and counts its rows. ST_OK, or ST_*
 * (reported).
 */
int merge_add(struct merged m[NTABLES], struct merging *all, int i);

/* Takes a row: an object; a cell that is not there is null. ST_OK, or ST_* (reported). */
typedef int merge_row_fn(void *arg, const json_t *row);

/* Calls `row` for each row, in the order of the files, until one yields a fault. ST_*. */
int merge_each(const struct merged *m, merge_row_fn *row, void *arg);

#endif
