/* SPDX-License-Identifier: Apache-2.0 */
/* A row for each ordered pair. */
#ifndef NETBENCH_CMD_MAP_ROWS_H
#define NETBENCH_CMD_MAP_ROWS_H

#include "analyse/map/study/study.h"
#include "result/report.h"

#define MAP_NCOLUMNS 18
#define MAP_DIGITS 7		/* of values: y is no more precise */
extern const enum column_id map_columns[MAP_NCOLUMNS];

/* Where rows with the columns of a record go. */
struct pair_rows {
	const struct record *rec;
	int (*put)(void *arg, const struct row *row);
	void *arg;
};

/*
 * Writes the row of an ordered pair, of the visits so far, if a format or file has rows. Yields
 * what `put` does.
 */
int map_row(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	    uint32_t i, uint32_t j);

/*
 * Writes the rows of all pairs that are not marked as written. A sparse study has only rows of
 * pairs that met, and of pairs that did not answer.
 */
int map_rows(const struct study *s, const struct output_options *o, const struct pair_rows *to);

#endif
