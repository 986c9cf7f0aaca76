/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a row for each ordered pair. */
#ifndef NETBENCH_CMD_MAP_ROWS_H
#define NETBENCH_CMD_MAP_ROWS_H

#include "analyse/map/study/study.h"
#include "result/report.h"

#define MAP_NCOLUMNS 18
#define MAP_DIGITS 7 /* significant digits of values; measurements are not more precise */
extern const enum column_id map_columns[MAP_NCOLUMNS];

/* The destination of rows. Rows have the columns of a record. */
struct pair_rows {
	const struct record *rec;
	int (*put)(void *arg, const struct row *row);
	void *arg;
};

/*
 * Writes the row of an ordered pair from the visits so far, if any format or file has rows. Returns
 * what to->put returns.
 */
int map_write_row(const struct study *s, const struct output_options *o, const struct pair_rows *to,
		  uint32_t i, uint32_t j);

/*
 * Writes the rows of all pairs that are not marked as written. In a sparse study only pairs that
 * were measured have a row. Returns what to->put returns.
 */
int map_write_rows(const struct study *s, const struct output_options *o,
		   const struct pair_rows *to);

#endif
