/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files that netbench has written, JSON or CSV, into one tree. */
#ifndef NETBENCH_BASE_READ_SAVED_H
#define NETBENCH_BASE_READ_SAVED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reads a file of JSON, or of CSV with its header, into *doc, for json_decref. From CSV, *doc gets
 * the members that JSON of the same result has, if the header contains them. It has no samples,
 * columns have only a name, and cells of rows are texts or null. If `bytes` is not NULL, *bytes
 * gets the bytes of the file, for free(), or NULL after a fault.
 *
 * Returns ST_OK. Returns ST_USAGE if the file is neither JSON nor CSV, or if an object has a key
 * twice. Returns ST_UNAVAILABLE if this program cannot read CSV. Faults are reported.
 */
int saved_read(const char *path, json_t **doc, char **bytes, size_t *nbytes);

/* A document that is read row by row: only one row is in memory. */
struct saved {
	const char *path;
	FILE *f;		/* the file; a temporary copy if it is a pipe */
	bool copied;
	struct csv_rows *table;	/* reader of CSV; NULL: the file is JSON */
	long first;		/* JSON: position of the first row; -1: the file has no rows */
	size_t first_line;	/* line number of the first row */
	size_t line;		/* line number of the next byte */
	bool begun;		/* at least one row was read */
	char *text;		/* text of the last row */
	size_t len, room;
};

/*
 * Reads a document without its rows into *doc. The caller must call saved_close, also after a
 * fault. Returns ST_* as saved_read does.
 */
int saved_open(struct saved *r, const char *path, json_t **doc);

/*
 * Sets *row to the next row, a new reference, or to NULL after the last. Returns ST_OK, ST_USAGE or
 * ST_FAILED.
 */
int saved_next(struct saved *r, json_t **row);

/* Makes the first row the next one. Returns ST_OK, or a fault as saved_open does (reported). */
int saved_rewind(struct saved *r);

void saved_close(struct saved *r);

#endif
