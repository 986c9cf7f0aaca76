/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a table of a result's rows: chooses its columns and writes its cells. */
#ifndef NETBENCH_CMD_REPORT_COLUMNS_H
#define NETBENCH_CMD_REPORT_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"
#include "show/page/page.h"

/* A column of a table. */
struct shown {
	const char *name, *head, *unit;
	bool text;
};

#define SHOWN_MAX 128

/* The columns of a table from left to right, and the unit of its bandwidths. */
struct table_columns {
	enum rate_unit rates;
	struct shown c[SHOWN_MAX];
	size_t n;
};

/* Returns the rows of a benchmark of the note, or all rows if `benchmark` is "" (new reference). */
json_t *rows_of_benchmark(const json_t *rows, const char *benchmark);

/*
 * Counts how often each text occurs in a column; "" counts rows without a text. Returns an object
 * from text to count, in the order of the rows (new reference).
 */
json_t *rows_count_texts(const json_t *rows, const char *name);

/*
 * Returns whether any two rows have different values in a column. Rows without a value are ignored.
 */
bool rows_differ(const json_t *rows, const char *name);

/* Returns whether any row has a value in this column. */
bool rows_have(const json_t *rows, const char *name);

/* Returns the sum of a column. A cell without a number counts as 0. */
double rows_sum(const json_t *rows, const char *name);

/*
 * Adds a column of a document to the list, unless the document lacks it or the list has it already.
 * `head` is the heading of the column in the table; NULL: the usual heading. Records the column's
 * definition and heading in `used`.
 */
void table_add_column(struct table_columns *list, const json_t *doc, const char *name,
		      const char *head, json_t *used);

/* Writes a table of the rows, with the columns of the list. */
void table_write(struct page *to, const struct table_columns *list, const json_t *rows);

#endif
