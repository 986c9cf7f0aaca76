/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the rows of a result one by one. Only one row at a time is in memory as a JSON tree,
 * because a tree takes ten times the memory of its text.
 */
#ifndef NETBENCH_RESULT_ROWS_H
#define NETBENCH_RESULT_ROWS_H

#include <jansson.h>
#include <stddef.h>

#include "base/read/saved.h"
#include "result/reader.h"

struct result_rows {
	const char *path;
	json_t *doc;		/* the result; it contains its rows only if they are in memory */
	struct saved from;
	/* known columns, for result_check_row(); NULL: the rows are in memory */
	struct result_known *known;
	json_t *row;		/* the row that the latest call read */
	size_t n;		/* number of rows read so far */
};

/*
 * Opens a result and checks it as result_read() does, without reading the rows. Call
 * result_rows_close() in either case. Returns ST_OK or ST_* (reported).
 */
int result_rows_open(struct result_rows *r, const char *path);

/* Starts at the first row of a result that is already in memory. */
void result_rows_from_document(struct result_rows *r, const json_t *doc, const char *path);

/*
 * Sets *row to the next row, which is valid until the next call, or to NULL after the last row.
 * Returns ST_OK or ST_* (reported).
 */
int result_rows_next(struct result_rows *r, const json_t **row);

/* Makes the first row the next one again. Returns ST_OK or ST_* (reported). */
int result_rows_rewind(struct result_rows *r);

void result_rows_close(struct result_rows *r);

#endif
