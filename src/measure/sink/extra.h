/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that a record gets beside those of its benchmark. */
#ifndef NETBENCH_MEASURE_SINK_EXTRA_H
#define NETBENCH_MEASURE_SINK_EXTRA_H

#include "measure/result.h"
#include "result/record.h"
#include "result/row.h"

/*
 * Puts columns behind those of the table, which has the first nshown of them. The record then has
 * lists of its own, for extra_free. ST_OK, or ST_FAILED without memory (reported).
 */
int extra_columns(struct record *rec, const enum column_id *more, size_t nmore, size_t nshown);
void extra_free(struct record *rec);

/* The columns on the launch of a round; the last is in files only. Yields their number. */
#define EXTRA_LAUNCH 2
size_t extra_launch_columns(enum column_id more[EXTRA_LAUNCH]);

/* Text of a note on a launch. The caller keeps it until the row is written. */
#define EXTRA_NOTE 48

/* The cells on a launch of launch_s: its share, and a note where that is too much. */
void extra_launch_cells(const struct record *rec, const struct result *res, double launch_s,
			struct row *row, char note[EXTRA_NOTE]);

#endif
