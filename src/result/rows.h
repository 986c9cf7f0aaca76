/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a result one after the other: no more than one is in memory as a tree, which takes
 * ten times the room of its text.
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

/* Reads a result as result_read does, but for the rows; result_rows_close in either case. */
int result_rows_open(struct result_rows *r, const char *path);

/* Those of a result that has been read. */
void result_rows_of(struct result_rows *r, const json_t *doc, const char *path);

/* The next row until there is a further one; NULL: there is none. ST_OK or ST_* (reported). */
int result_rows_next(struct result_rows *r, const json_t **row);

/* Makes the first row the next one again. ST_OK or ST_* (reported). */
int result_rows_rewind(struct result_rows *r);

void result_rows_close(struct result_rows *r);

#endif
