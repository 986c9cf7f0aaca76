/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the rows of a file into a study; reads the results of map. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_ROWS_H
#define NETBENCH_ANALYSE_MAP_STUDY_ROWS_H

#include "analyse/map/study/study.h"
#include "result/rows.h"

/* A file, and the study that its rows go to. */
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

/*
 * Puts in the values of a row, unless its two hosts are one. Refuses a second row of the same pair
 * and visit. ST_* (reported).
 */
int rows_put(const struct study_rows *r, const struct measurement *o, size_t number);

/* Finishes the study, once all rows are in. ST_OK, or ST_* (reported). */
int rows_finish(const struct study_rows *r);

/*
 * Puts in all rows of a result of map, and its facts. Rows without visits, as in CSV, are one
 * visit. ST_OK, or ST_* (reported); rows_finish comes next.
 */
int rows_take_result(struct study_rows *r, struct result_rows *rows);

/* Reads a whole result that is in memory. ST_OK, or ST_* (reported); study_free in either case. */
int rows_read_result(const json_t *doc, const char *path, struct study *s);

#endif
