/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads CSV (RFC 4180) with libcsv. The files are results of netbench, which have lines "# key:
 * value", and tables of other programs.
 */
#ifndef NETBENCH_BASE_READ_CSV_H
#define NETBENCH_BASE_READ_CSV_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * csv_open reads the rest of file f into *doc, in the form that saved_read describes for CSV. If
 * `with_rows` is false, *doc gets no rows. Sets *rows, which the caller frees by csv_close, also
 * after a fault. The file f stays open and belongs to the caller.
 *
 * If the file is seekable, csv_next can read the rows one by one. Call csv_rewind first: it makes
 * the first row the next one. Both csv_open and csv_rewind return ST_*; faults are reported.
 */
struct csv_rows;
int csv_open(const char *path, FILE *f, bool with_rows, struct csv_rows **rows, json_t **doc);
int csv_rewind(struct csv_rows *rows);

/*
 * Sets *row to the next row, in the form that saved_read describes, or to NULL after the final row.
 * *row is a new reference. Returns ST_*.
 */
int csv_next(struct csv_rows *rows, json_t **row);

/* Frees `rows`, which may be NULL. */
void csv_close(struct csv_rows *rows);

/*
 * Returns true if a text begins like a formula of a spreadsheet: with =, +, - or @, after any
 * number of apostrophes. In CSV, netbench writes one more apostrophe before such a text. csv_each
 * removes that apostrophe.
 */
bool csv_is_formula(const char *text);

/*
 * Receives a row: its n cells ("" if empty) and the number of its final line in the file (the first
 * line is 1). Returns ST_*; faults are reported.
 */
typedef int csv_row_fn(void *arg, char **cells, size_t n, size_t line);

/*
 * Reads a table written by any program. Calls `row` for each row, including the header. Stops when
 * a call returns a fault. Skips empty lines, and lines that begin with '#'. A line that continues a
 * row is never skipped. Returns ST_*.
 */
int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg);

#endif
