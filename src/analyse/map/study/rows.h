/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the rows of a file, or of a result of map, to a study. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_ROWS_H
#define NETBENCH_ANALYSE_MAP_STUDY_ROWS_H

#include "analyse/map/study/study.h"
#include "result/rows.h"

/* A file, and the study that its rows are added to. */
struct study_rows {
	const char *path;		/* the file's name in messages */
	const char *unit;		/* "line" of CSV, "row" of a result */
	struct study *s;
	struct measurement last;	/* the row before */
};

/*
 * Finds or adds the host `name`, and sets *host to its number. On entry *host is the number from
 * the row before, which is tried first. For messages, `what` is the name of the column and `number`
 * that of the row. Returns ST_OK, or ST_* (reported).
 */
int rows_find_host(const struct study_rows *r, const char *what, const char *name, size_t number,
		   uint32_t *host);

/*
 * Adds the values of a row, unless sender and receiver are the same host. Refuses a second row of
 * the same pair and visit. Returns ST_* (reported).
 */
int rows_add(const struct study_rows *r, const struct measurement *o, size_t number);

/* Finishes the study after its last row. Returns ST_OK, or ST_* (reported). */
int rows_finish(const struct study_rows *r);

/*
 * Adds all rows of a result of map, and its facts, to the study. A row without visits, as in CSV,
 * counts as one visit. Returns ST_OK, or ST_* (reported). Call rows_finish() next.
 */
int rows_add_result(struct study_rows *r, struct result_rows *rows);

/*
 * Reads a complete result that is in memory. Returns ST_OK, or ST_* (reported). Call study_free()
 * in either case.
 */
int rows_read_result(const json_t *doc, const char *path, struct study *s);

#endif
