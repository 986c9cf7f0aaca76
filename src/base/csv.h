/* SPDX-License-Identifier: Apache-2.0 */
/* CSV as of RFC 4180 (libcsv): results, with lines "# key: value", read again; other tables. */
#ifndef NETBENCH_BASE_CSV_H
#define NETBENCH_BASE_CSV_H

#include <jansson.h>
#include <stdio.h>

/* Reads what is left of a file into *doc, as document_read says of CSV. ST_* (reported). */
int csv_read(const char *path, FILE *f, json_t **doc);

/* A row: its cells, "" where they are empty, and its line, from 1. ST_* (reported). */
typedef int csv_row_fn(void *arg, char **cells, size_t n, size_t line);

/*
 * Reads a table from anywhere: calls `row` for each row, the header's among them, until one yields
 * a fault. Empty lines, and lines between rows that begin with '#', are skipped. ST_*.
 */
int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg);

#endif
