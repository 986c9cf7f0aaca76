/* SPDX-License-Identifier: Apache-2.0 */
/* Files that netbench has written, as one tree, whether they are JSON or CSV. */
#ifndef NETBENCH_BASE_READ_SAVED_H
#define NETBENCH_BASE_READ_SAVED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reads JSON, or CSV with its header. From CSV *doc gets the members that JSON of the same result
 * has, as far as the header has them. Samples are missing, columns only have a name, and cells of
 * rows are texts or null. *doc is for json_decref. Unless `bytes` is NULL, *bytes are the bytes of
 * the file, for free(), or NULL after a fault. ST_OK; ST_USAGE if the file is neither, or an object
 * has a key twice; or ST_UNAVAILABLE if this program cannot read CSV (reported).
 */
int saved_read(const char *path, json_t **doc, char **bytes, size_t *nbytes);

/* The same document row by row: only one is in memory. */
struct saved {
	const char *path;
	FILE *f;		/* of a pipe: a temporary copy */
	bool copied;
	struct csv_rows *table;	/* of CSV; NULL: it is JSON */
	long first;		/* JSON: where the first row begins; -1: the file has no rows */
	size_t first_line;	/* its line */
	size_t line;		/* of the next byte */
	bool begun;		/* a row was read */
	char *text;		/* that row */
	size_t len, room;
};

/* Reads all but the rows: *doc has none. saved_close in either case. Status as saved_read. */
int saved_open(struct saved *r, const char *path, json_t **doc);

/* *row: the next row, a new reference, or NULL after the last. ST_OK, ST_USAGE or ST_FAILED. */
int saved_next(struct saved *r, json_t **row);

/* Makes the first row the next one again. ST_OK, or as saved_open (reported). */
int saved_rewind(struct saved *r);

void saved_close(struct saved *r);

#endif
