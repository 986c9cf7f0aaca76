/* SPDX-License-Identifier: Apache-2.0 */
/* A table of a result's rows: which columns it has, and the cells. */
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
struct shown_list {
	enum rate_unit rates;
	struct shown c[SHOWN_MAX];
	size_t n;
};

/* The rows of a benchmark of the note, all if that is "": a new list. */
json_t *rows_of(const json_t *rows, const char *benchmark);

/* Counts the rows with each text of a column, "" for none: an object in order of rows. New. */
json_t *rows_by_text(const json_t *rows, const char *name);

/* True if two rows have different values in a column. Rows without a value do not count. */
bool rows_differ(const json_t *rows, const char *name);

/* True if a row has a value of this name. */
bool rows_have(const json_t *rows, const char *name);

/* The sum of a column; a cell without a number counts as 0. */
double rows_sum(const json_t *rows, const char *name);

/*
 * Adds a column of a document to the list, unless the document has none of this name or the list
 * has it already. `head`: NULL for the usual heading. Notes the column's definition and heading in
 * `used`.
 */
void shown_add(struct shown_list *list, const json_t *doc, const char *name, const char *head,
	       json_t *used);

/* Writes a table of the rows. */
void shown_write(struct page *to, const struct shown_list *list, const json_t *rows);

#endif
