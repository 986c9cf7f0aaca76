/* SPDX-License-Identifier: Apache-2.0 */
/* A row for each ordered pair. */
#ifndef NETBENCH_CMD_MAP_ROWS_H
#define NETBENCH_CMD_MAP_ROWS_H

#include "analyse/map/study/study.h"
#include "result/report.h"

#define MAP_NCOLUMNS 18
#define MAP_DIGITS 7		/* of values: y is no more precise */
extern const enum column_id map_columns[MAP_NCOLUMNS];

/* Where rows go that have the columns of a record. */
struct pair_rows {
	const struct record *rec;
	int (*put)(void *arg, const struct row *row);
	void *arg;
};

/*
 * The row of an ordered pair, of the visits so far, unless nothing that is written has rows. What
 * `put` yields.
 */
int map_row(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	    uint32_t i, uint32_t j);

/* Those of all pairs but those that are `written`, [sender][receiver]; NULL: none is. */
int map_rows(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	     const bool *written);

#endif
