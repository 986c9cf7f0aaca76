/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a result one by one. Only one is in memory as a tree, because a tree takes ten times
 * the room of its text.
 */
#ifndef NETBENCH_RESULT_ROWS_H
#define NETBENCH_RESULT_ROWS_H

#include <jansson.h>
#include <stddef.h>

#include "base/read/saved.h"
#include "result/reader.h"

struct result_rows {
	const char *path;
	json_t *doc;		/* the rest of the result; also its rows, if they are in memory */
	struct saved from;
	struct result_known *known;	/* NULL: the rows are in memory */
	json_t *row;		/* the last one */
	size_t n;		/* rows so far */
};

/* Reads a result as result_read does, without the rows; result_rows_close in either case. */
int result_rows_open(struct result_rows *r, const char *path);

/* The rows of a result that has been read. */
void result_rows_of(struct result_rows *r, const json_t *doc, const char *path);

/* *row: the next row, valid until the next call; NULL after the last. ST_OK or ST_* (reported). */
int result_rows_next(struct result_rows *r, const json_t **row);

/* Makes the first row the next one again. ST_OK or ST_* (reported). */
int result_rows_rewind(struct result_rows *r);

void result_rows_close(struct result_rows *r);

#endif
