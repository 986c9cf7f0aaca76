/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that a record gets in addition to those of its benchmark. */
#ifndef NETBENCH_MEASURE_SINK_EXTRA_H
#define NETBENCH_MEASURE_SINK_EXTRA_H

#include "measure/result.h"
#include "result/record.h"
#include "result/row.h"

/*
 * Adds columns after those of the table; the table shows the first nshown of them. The record then
 * has lists of its own, which extra_free frees. Returns ST_OK, or ST_FAILED without memory
 * (reported).
 */
int extra_columns(struct record *rec, const enum column_id *more, size_t nmore, size_t nshown);
void extra_free(struct record *rec);

/*
 * Lists the columns about the launch of a round; the last one is only in files. Returns their
 * number.
 */
#define EXTRA_LAUNCH 2
size_t extra_launch_columns(enum column_id more[EXTRA_LAUNCH]);

/* Size of a note about the launch. The caller keeps the note until the row is written. */
#define EXTRA_NOTE 48

/*
 * Sets the cells about a launch of launch_s: its share of the time, and a note if that share is too
 * large.
 */
void extra_launch_cells(const struct record *rec, const struct result *res, double launch_s,
			struct row *row, char note[EXTRA_NOTE]);

#endif
