/* SPDX-License-Identifier: Apache-2.0 */
/* Adds columns to a record that already has the columns of its benchmark. */
#ifndef NETBENCH_MEASURE_SINK_EXTRA_H
#define NETBENCH_MEASURE_SINK_EXTRA_H

#include "measure/result.h"
#include "result/record.h"
#include "result/row.h"

/*
 * Adds the nmore columns `more` after the columns of the table. The table shows the first `nshown`
 * of these. After this call the record has its own lists of columns, which extra_free frees.
 * Returns ST_OK, or ST_FAILED if memory runs out (reported).
 */
int extra_columns(struct record *rec, const enum column_id *more, size_t nmore, size_t nshown);
void extra_free(struct record *rec);

/*
 * Lists the columns about the launch of a round. Returns their number. The last column in this list
 * appears only in files, not in the table.
 */
#define EXTRA_LAUNCH 2
size_t extra_launch_columns(enum column_id more[EXTRA_LAUNCH]);

/* Size of a note about the launch. The caller keeps the note until the row is written. */
#define EXTRA_NOTE 48

/*
 * Sets the cells about a launch that takes launch_s: the launch's share of the time, and a note if
 * the share is too large.
 */
void extra_launch_cells(const struct record *rec, const struct result *res, double launch_s,
			struct row *row, char note[EXTRA_NOTE]);

#endif
