/* SPDX-License-Identifier: Apache-2.0 */
/* Results that netbench has written, JSON or CSV, read again. */
#ifndef NETBENCH_RESULT_READER_H
#define NETBENCH_RESULT_READER_H

#include <jansson.h>
#include <stdbool.h>

#include "result/document.h"

/*
 * Reads a file (base/read/saved.h) and checks that it is a result: it has a command, options, an
 * environment, columns and rows, and counts and sizes are not negative. *doc is for json_decref.
 * ST_OK, or ST_USAGE if it cannot be read or is none (reported); ST_UNAVAILABLE as saved_read.
 */
int result_read(const char *path, json_t **doc);

/*
 * The same; unless `bytes` is NULL, what the file has, byte for byte, is in *bytes, for free();
 * NULL after a fault.
 */
int result_read_bytes(const char *path, json_t **doc, char **bytes, size_t *nbytes);

/* A column that the table of columns has; `untyped`: the result says but its name. */
struct result_known {
	const struct column *column;	/* NULL: the end of the list */
	bool untyped;
};

/*
 * Check and complete, as result_read does, what saved_open has read, and each of its rows, from
 * 1. *known, for result_check_row, is for free(), or NULL. ST_*.
 */
int result_check_head(const char *path, json_t *doc, struct result_known **known);
int result_check_row(const char *path, const struct result_known *known, size_t number,
		     json_t *row);

/*
 * The names of the ranks' hosts in an environment, each once, with blanks between them, of more
 * than 16 the first 16 and "and 4 more"; without ranks that of the host that computed. For free();
 * NULL without memory. *n: how many hosts ranks have, 0 without ranks.
 */
char *result_hosts(const json_t *environment, size_t *n);

/*
 * Of the summary of a result of map: whether there is a verdict on the quantity and class that
 * `judged`, an entry of its list of that name, is of.
 */
bool result_has_verdict(const json_t *summary, const json_t *judged);

/*
 * "no host differs by more than 5 %, no pair by more than 8 %" (relative: 0.05, 0.08; of older
 * results NaN for pairs). Returns buf, of RESULT_LEAST characters.
 */
enum { RESULT_LEAST = 112 };
char *result_least(char *buf, double host, double pair);

#endif
