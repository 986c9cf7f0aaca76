/* SPDX-License-Identifier: Apache-2.0 */
/* Results over their numbers of ranks. Results that differ only in it become one. */
#ifndef NETBENCH_SHOW_CHART_RANKS_H
#define NETBENCH_SHOW_CHART_RANKS_H

#include "show/chart/picture.h"

/* True if a name names a number of the summary: "summary.b_eff_Bps". */
bool ranks_is_summary(const char *column);

/*
 * Gives results the column "ranks". If `wanted` names a number of the summary, that number and the
 * ranks become the only columns. Then joins results that differ only in the number of ranks and in
 * options that are `incidental`. Unless the user gave labels, the label of joined results is "FILE
 * and 2 more". ST_OK; ST_USAGE if a summary lacks the number; ST_FAILED without memory (reported).
 */
int ranks_join(struct album *a, const char *wanted, bool labelled,
	       bool (*incidental)(const char *option));

#endif
