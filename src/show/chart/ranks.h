/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws results over their numbers of ranks or their times. It joins results that differ only in
 * these.
 */
#ifndef NETBENCH_SHOW_CHART_RANKS_H
#define NETBENCH_SHOW_CHART_RANKS_H

#include "show/chart/picture.h"

/* True if a name denotes a number of the summary: "summary.b_eff_Bps". */
bool ranks_is_summary(const char *column);

/*
 * Returns the column over which whole results are drawn: "ranks" or "time"; NULL: x is another
 * column.
 */
const char *ranks_join_column(const char *x);

/*
 * Adds the column `over` to results: "ranks", or "time", which is days since the earliest result
 * began. If `wanted` names a number of the summary, each result keeps only that number and this
 * column. Then joins results that differ only in `over` and in options for which `incidental` is
 * true. Unless the user gave labels, the label of joined results is "FILE and 2 more". Returns
 * ST_OK; ST_USAGE if a summary lacks the number; ST_FAILED without memory (reported).
 */
int ranks_join(struct album *a, const char *over, const char *wanted, bool labelled,
	       bool (*incidental)(const char *option));

#endif
