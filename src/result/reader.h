/* SPDX-License-Identifier: Apache-2.0 */
/* Reads results: JSON and CSV of netbench, and tables of HPCC FPGA (foreign/hpcc.h). */
#ifndef NETBENCH_RESULT_READER_H
#define NETBENCH_RESULT_READER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/text.h"
#include "result/document.h"

/*
 * Reads a file (base/read/saved.h), or one with a table of HPCC FPGA, and checks that it is a
 * result. A result has a command, options, an environment, columns and rows; its counts and sizes
 * are not negative. Columns, cells and
 * samples of an older result get their present names (column_new_name). The caller releases *doc
 * with json_decref(). Returns ST_OK, or ST_USAGE if the file cannot be read or is not a result
 * (reported), or ST_UNAVAILABLE as saved_read() does.
 */
int result_read(const char *path, json_t **doc);

/*
 * Parses the bytes of a file as result_read() does. bytes[n] is zero. Returns ST_*; *doc is NULL
 * after a fault.
 */
int result_parse(const char *path, char *bytes, size_t n, json_t **doc);

/*
 * Reads a result as result_read() does. If `bytes` is not NULL, also sets *bytes and *nbytes to the
 * content of the file. The caller frees *bytes, which is NULL after a fault.
 */
int result_read_bytes(const char *path, json_t **doc, char **bytes, size_t *nbytes);

/* A column of a result that is also in the table of columns (columns.h). */
struct result_known {
	const struct column *column;	/* NULL: the end of the list */
	bool untyped;			/* true: the result states only the name of the column */
	/* the former name, which its cells in the rows have; NULL: they have the present name */
	const char *former;
};

/*
 * result_check_head() checks and completes a document from saved_open(), as result_read() does. It
 * sets *known, which may become NULL; the caller frees it. result_check_row() checks and completes
 * a row, with the list `known`; rows are numbered from 1. They return ST_*.
 */
int result_check_head(const char *path, json_t *doc, struct result_known **known);
int result_check_row(const char *path, const struct result_known *known, size_t number,
		     json_t *row);

/* Checks and completes a whole document, as result_read() does. Returns ST_*. */
int result_check(const char *path, json_t *doc);

/*
 * Returns the names of the ranks' hosts in an environment, each once, with blanks between them. If
 * there are more than 16, the text ends, for example, in "and 4 more". Without ranks, returns the
 * name of the host that computed the result. The caller frees the text. Sets *n to the number of
 * the ranks' hosts, or to 0 without ranks.
 */
char *result_hosts(const json_t *environment, size_t *n);

/*
 * True if a result of map has a verdict on the quantity and class of `judged`, which is an entry of
 * the list "judged" in its summary.
 */
bool result_has_verdict(const json_t *summary, const json_t *judged);

/*
 * Names the quantity of a verdict or of a judged quantity: "bandwidth", or "bandwidth, class fast"
 * if there are several classes.
 */
struct text judged_quantity(const json_t *of);

/*
 * Returns "no host differs by more than 5 %, ...". `host` and `pair` are the smallest effects that
 * would have been detected. Both are relative, such as 0.05; `pair` is NaN in older results. If
 * `host` is NaN, the text is "".
 */
struct text least_effects(double host, double pair);

#endif
