/* SPDX-License-Identifier: Apache-2.0 */
/* Results that netbench has written, JSON or CSV, read again. */
#ifndef NETBENCH_RESULT_READER_H
#define NETBENCH_RESULT_READER_H

#include <jansson.h>
#include <stdbool.h>

#include "result/document.h"

/*
 * Reads a file (base/read/saved.h) and checks that it is a result. A result has a command, options,
 * an environment, columns and rows; counts and sizes are not negative. Columns, cells and samples
 * of an older result get the names of today (column_now). *doc is for json_decref.
 * ST_OK; ST_USAGE if it cannot be read or is no result (reported); ST_UNAVAILABLE as saved_read.
 */
int result_read(const char *path, json_t **doc);

/*
 * The same. Unless `bytes` is NULL, *bytes are the bytes of the file, for free(), or NULL after a
 * fault.
 */
int result_read_bytes(const char *path, json_t **doc, char **bytes, size_t *nbytes);

/* A column that the table of columns has. */
struct result_known {
	const struct column *column;	/* NULL: the end of the list */
	bool untyped;			/* the result only has its name */
	const char *former;		/* the name that rows call it by; NULL: its own */
};

/*
 * Check and complete a document of saved_open, and then each of its rows, as result_read does. Rows
 * count from 1. *known is for result_check_row, and for free(), or NULL. ST_*.
 */
int result_check_head(const char *path, json_t *doc, struct result_known **known);
int result_check_row(const char *path, const struct result_known *known, size_t number,
		     json_t *row);

/*
 * The names of the ranks' hosts in an environment, each once, with blanks between them. After the
 * first 16 names: "and 4 more". Without ranks the name of the host that computed. For free(). *n:
 * the number of the ranks' hosts, 0 without ranks.
 */
char *result_hosts(const json_t *environment, size_t *n);

/*
 * True if the summary of a result of map has a verdict on the quantity and class of `judged`, an
 * entry of its list "judged".
 */
bool result_has_verdict(const json_t *summary, const json_t *judged);

/*
 * Writes "no host differs by more than 5 %, ..." for hosts and pairs. Both are relative, as 0.05;
 * older results have NaN for pairs. Returns buf, of RESULT_LEAST characters.
 */
enum { RESULT_LEAST = 112 };
char *result_least(char *buf, double host, double pair);

#endif
