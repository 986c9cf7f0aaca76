/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a file, whatever its form, into a study; those of a result of map. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_ROWS_H
#define NETBENCH_ANALYSE_MAP_STUDY_ROWS_H

#include "analyse/map/study/study.h"
#include "result/rows.h"

/* A file that is put into a study. */
struct study_rows {
	const char *path;		/* what messages call it */
	const char *unit;		/* "line" of CSV, "row" of a result */
	struct study *s;
	struct measurement last;	/* of the row before */
};

/*
 * The number of the host that is called `name`, from *host as the row before has it; `what` is its
 * column and `number` the row. ST_OK, or ST_* (reported).
 */
int rows_take_host(const struct study_rows *r, const char *what, const char *name, size_t number,
		   uint32_t *host);

/* Puts in what a row has measured, but once. ST_OK, or ST_* (reported). */
int rows_put(const struct study_rows *r, const struct measurement *o, size_t number);

/* Once all rows are in: puts the study in order. ST_OK, or ST_* (reported). */
int rows_finish(const struct study_rows *r);

/*
 * All rows of a result of map, and what it says of all; those without visits, as those of CSV, are
 * one visit. ST_OK, or ST_* (reported); rows_finish comes next.
 */
int rows_take_result(struct study_rows *r, struct result_rows *rows);

/* The same of a result that is in memory, to the end. study_free in either case. */
int rows_read_result(const json_t *doc, const char *path, struct study *s);

#endif
