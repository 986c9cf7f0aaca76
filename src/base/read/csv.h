/* SPDX-License-Identifier: Apache-2.0 */
/* CSV as of RFC 4180 (libcsv): results, with lines "# key: value", read again; other tables. */
#ifndef NETBENCH_BASE_READ_CSV_H
#define NETBENCH_BASE_READ_CSV_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Reads the rest of a file into *doc as saved_read does for CSV, with its rows or without them.
 * *rows is for csv_close. To read rows one by one, the file must be seekable: csv_rewind makes the
 * first row the next one. f stays open and the caller's. ST_* (reported).
 */
struct csv_rows;
int csv_open(const char *path, FILE *f, bool with_rows, struct csv_rows **rows, json_t **doc);
int csv_rewind(struct csv_rows *rows);

/* *row: the next row as of saved_read, a new reference, or NULL after the last. ST_*. */
int csv_next(struct csv_rows *rows, json_t **row);

/* NULL is allowed. */
void csv_close(struct csv_rows *rows);

/*
 * True if a text begins, after any apostrophes, like a formula of a spreadsheet: with =, +, - or @.
 * Tables for spreadsheets have one more apostrophe before it; csv_each removes that one.
 */
bool csv_is_formula(const char *text);

/* Takes a row: its cells, "" for empty ones, and its line from 1. ST_* (reported). */
typedef int csv_row_fn(void *arg, char **cells, size_t n, size_t line);

/*
 * Reads a table of any origin: calls `row` for each row, also for the header, until a call returns
 * a fault. Skips empty lines, and lines between rows that begin with '#'. ST_*.
 */
int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg);

#endif
