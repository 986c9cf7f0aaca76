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

/* Columns in the order in which they are shown, and the unit of bandwidths among them. */
struct shown_list {
	enum rate_unit rates;
	struct shown c[SHOWN_MAX];
	size_t n;
};

/* True for rows of a benchmark of the note; for all if that is "". */
bool row_is_of(const json_t *row, const void *benchmark);

/* How many rows have each text of a column, "" for none: an object, the first text first. New. */
json_t *rows_by_text(const json_t *rows, const char *name);

/* True if the rows of a benchmark that have a column differ in it. */
bool rows_differ(const json_t *rows, const char *benchmark, const char *name);

/* True if a row for which `take` returns true has a value of this name; NULL: if there is one. */
bool rows_have(const json_t *rows, const char *name,
	       bool (*take)(const json_t *row, const void *arg), const void *arg);

/*
 * Adds a document's column if it has one of that name and the list does not; head: NULL for the
 * usual one.
 */
void shown_add(struct shown_list *list, const json_t *doc, const char *name, const char *head,
	       json_t *used);

/* Writes a table of the rows for which `take` returns true. */
void shown_write(struct page *to, const struct shown_list *list, const json_t *rows,
		 bool (*take)(const json_t *row, const void *arg), const void *arg);

#endif
