/* SPDX-License-Identifier: Apache-2.0 */
/* Results over their numbers of ranks: those that differ in it alone are one. */
#ifndef NETBENCH_SHOW_CHART_RANKS_H
#define NETBENCH_SHOW_CHART_RANKS_H

#include "show/chart/picture.h"

/* True if a name is that of a number of summaries: "summary.b_eff_Bps". */
bool ranks_is_summary(const char *column);

/*
 * Gives results the column "ranks", or makes that and a number of their summaries, if `wanted` is
 * its name, all that they have; and joins results that differ in the number of ranks alone, and in
 * options for which `incidental` is true, whose label is then "FILE and 2 more" unless the user
 * gave labels. ST_OK; ST_USAGE if a summary has no such number, ST_FAILED without memory
 * (reported).
 */
int ranks_join(struct album *a, const char *wanted, bool labelled,
	       bool (*incidental)(const char *option));

#endif
