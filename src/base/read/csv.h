/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads CSV of RFC 4180 with libcsv: results of netbench, with their lines "# key: value", and
 * other tables.
 */
#ifndef NETBENCH_BASE_READ_CSV_H
#define NETBENCH_BASE_READ_CSV_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * csv_open reads the rest of file f into *doc as saved_read does for CSV, with its rows or without
 * them. *rows is for csv_close. f stays open and belongs to the caller.
 *
 * Rows can be read one by one if the file is seekable: csv_rewind makes the first row the next one.
 * Both return ST_* (reported).
 */
struct csv_rows;
int csv_open(const char *path, FILE *f, bool with_rows, struct csv_rows **rows, json_t **doc);
int csv_rewind(struct csv_rows *rows);

/*
 * Sets *row to the next row as saved_read has it, a new reference, or to NULL after the last.
 * Returns ST_*.
 */
int csv_next(struct csv_rows *rows, json_t **row);

/* Frees `rows`; NULL is allowed. */
void csv_close(struct csv_rows *rows);

/*
 * Returns true if a text begins like a formula of a spreadsheet: with =, +, - or @, after any
 * number of apostrophes. netbench puts one more apostrophe before such a text in CSV; csv_each
 * removes it.
 */
bool csv_is_formula(const char *text);

/*
 * Receives a row: its n cells, "" for an empty one, and its line number from 1. Returns ST_*
 * (reported).
 */
typedef int csv_row_fn(void *arg, char **cells, size_t n, size_t line);

/*
 * Reads a table of any program. Calls `row` for each row, including the header, until a call
 * returns a fault. Skips empty lines, and lines between rows that begin with '#'. Returns ST_*.
 */
int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg);

#endif
