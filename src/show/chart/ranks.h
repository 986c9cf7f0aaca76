/* SPDX-License-Identifier: Apache-2.0 */
/* Results over their numbers of ranks or their times. Those that differ only in it become one. */
#ifndef NETBENCH_SHOW_CHART_RANKS_H
#define NETBENCH_SHOW_CHART_RANKS_H

#include "show/chart/picture.h"

/* True if a name names a number of the summary: "summary.b_eff_Bps". */
bool ranks_is_summary(const char *column);

/* The column of whole results that they are drawn over: "ranks" or "time"; NULL: another. */
const char *ranks_over(const char *x);

/*
 * Gives results the column `over`: "ranks", or "time", the days since the first of them began. If
 * `wanted` names a number of the summary, that number and this column become the only ones. Then
 * joins results that differ only in it and in options that are `incidental`. Unless the user gave
 * labels, the label of joined results is "FILE and 2 more". ST_OK; ST_USAGE if a summary lacks the
 * number; ST_FAILED without memory (reported).
 */
int ranks_join(struct album *a, const char *over, const char *wanted, bool labelled,
	       bool (*incidental)(const char *option));

#endif
