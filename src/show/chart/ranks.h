/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws results over the number of ranks or over time. Joins results that differ only in ranks or
 * time.
 */
#ifndef NETBENCH_SHOW_CHART_RANKS_H
#define NETBENCH_SHOW_CHART_RANKS_H

#include "show/chart/picture.h"

/* Returns true if a name stands for a number of the summary, such as "summary.b_eff_Bps". */
bool ranks_is_summary(const char *column);

/*
 * Returns the column over which whole results are drawn: "ranks" or "time". Returns NULL if x is
 * another column.
 */
const char *ranks_join_column(const char *x);

/*
 * Adds the column `over` to results: "ranks", or "time", which is days since the earliest result
 * began. If `wanted` names a number of the summary, each result keeps only that number and this
 * column. Then joins results that differ only in `over` and in options for which `incidental`
 * returns true. Unless the user gave labels, the label of joined results is "FILE and 2 more".
 * Returns ST_OK; ST_USAGE if a summary lacks the number; ST_FAILED without memory (reported).
 */
int ranks_join(struct album *a, const char *over, const char *wanted, bool labelled,
	       bool (*incidental)(const char *option));

#endif
