/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many results as one table: merge.c has the command and puts the rows together, text.c writes them
 * as CSV or JSON lines, sqlite.c as a table of a database.
 */
#ifndef NETBENCH_CMD_MERGE_MERGE_H
#define NETBENCH_CMD_MERGE_MERGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* All rows of all results, or all verdicts; the files are read again for each table. */
struct merged {
	const char *name;	/* of the table in a database */
	json_t *columns;	/* object, in their order: name -> type, as column_type_names */
	size_t nrows;
	struct merging *from;
	bool verdicts;
};

/* Takes a row: an object; a cell that is not there is null. ST_OK, or ST_* (reported). */
typedef int merge_row_fn(void *arg, const json_t *row);

/* Calls `row` for each row, in the order of the files, until one yields a fault. ST_*. */
int merge_each(const struct merged *m, merge_row_fn *row, void *arg);

#endif
