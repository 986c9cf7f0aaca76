/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files that netbench has written, in JSON or CSV. Both formats give the same tree. */
#ifndef NETBENCH_BASE_READ_SAVED_H
#define NETBENCH_BASE_READ_SAVED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reads a whole file into *bytes, with a zero byte after its end. The caller frees *bytes, which is
 * NULL after a fault. Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 */
int saved_load(const char *path, char **bytes, size_t *nbytes);

/*
 * Parses the bytes of a file of JSON, or of CSV with its header, into *doc, a new reference, or
 * NULL after a fault. From CSV, *doc gets those members of the result's JSON that the CSV header
 * contains. *doc then has no samples. Its columns have only a name, and the cells of its rows are
 * texts or null.
 *
 * Returns ST_OK, or a fault, which is reported. ST_USAGE: the file is neither JSON nor CSV, or an
 * object has a key twice. ST_UNAVAILABLE: this program cannot read CSV.
 */
int saved_parse(const char *path, char *bytes, size_t n, json_t **doc);

/* Reads a file by saved_load and saved_parse. Returns ST_* as they do. */
int saved_read(const char *path, json_t **doc);

/* A document that is read row by row: only one row is in memory. */
struct saved {
	const char *path;
	FILE *f;		/* the file, or a temporary copy of the file if it is a pipe */
	bool copied;
	bool other;		/* the file begins neither as JSON nor as CSV */
	struct csv_rows *table;	/* reader of CSV; NULL: the file is JSON */
	/* for JSON: position of the first row in the file; -1: the file has no rows */
	long first;
	size_t first_line;	/* line number of the first row */
	size_t line;		/* line number of the next byte */
	bool begun;		/* at least one row was read */
	char *text;		/* text of the row read most recently */
	size_t len, room;
};

/*
 * Reads a document without its rows into *doc. If the file begins neither as JSON nor as CSV, sets
 * r->other and reads nothing. The caller must call saved_close, also after a fault. Returns ST_* as
 * saved_read does.
 */
int saved_open(struct saved *r, const char *path, json_t **doc);

/* Reads a file with r->other as a whole, as saved_load does. */
int saved_load_opened(struct saved *r, char **bytes, size_t *nbytes);

/*
 * Sets *row to the next row, a new reference, or to NULL after the final row. Returns ST_OK,
 * ST_USAGE or ST_FAILED.
 */
int saved_next(struct saved *r, json_t **row);

/* Makes the first row the next one. Returns ST_OK, or a fault as saved_open does (reported). */
int saved_rewind(struct saved *r);

void saved_close(struct saved *r);

#endif
