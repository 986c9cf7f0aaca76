/* SPDX-License-Identifier: Apache-2.0 */
/* CSV as of RFC 4180 (libcsv): results, with lines "# key: value", read again; other tables. */
#ifndef NETBENCH_BASE_READ_CSV_H
#define NETBENCH_BASE_READ_CSV_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Reads what is left of a file into *doc, as saved_read says of CSV, with its rows or without them.
 * *rows is for csv_close. For rows one by one the file must be one that can be read twice: then
 * csv_rewind makes the first row the next one; f stays the caller's, and open. ST_* (reported).
 */
struct csv_rows;
int csv_open(const char *path, FILE *f, bool with_rows, struct csv_rows **rows, json_t **doc);
int csv_rewind(struct csv_rows *rows);

/* The next row in *row, as saved_read says, a new reference; NULL: there is none. ST_*. */
int csv_next(struct csv_rows *rows, json_t **row);

/* NULL is allowed. */
void csv_close(struct csv_rows *rows);

/*
 * True if a text begins, behind any apostrophes, as a formula of a spreadsheet does: with =, +, -
 * or @. Tables for spreadsheets have an apostrophe more before it, which csv_each takes away.
 */
bool csv_is_formula(const char *text);

/* A row: its cells, "" where they are empty, and its line, from 1. ST_* (reported). */
typedef int csv_row_fn(void *arg, char **cells, size_t n, size_t line);

/*
 * Reads a table from anywhere: calls `row` for each row, the header's among them, until one yields
 * a fault. Empty lines, and lines between rows that begin with '#', are skipped. ST_*.
 */
int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg);

#endif
