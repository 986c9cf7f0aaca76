/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the figures of several runs into one, for `check --runs`. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_FIGURES_H
#define NETBENCH_ANALYSE_RUNS_FIGURES_H

#include "analyse/require.h"

/*
 * Adds one figure for each that a run has: the median over the n runs, in their order, with its
 * interval (R10). A run without the figure does not count for it. A run with too few repetitions
 * counts, because the interval is over runs. A figure that is not a positive number is left out; a
 * computed figure stays exact. Texts belong to the runs. Returns ST_OK, or ST_FAILED without memory
 * (reported).
 */
int combine_figures(const struct figures *runs, size_t n, struct figures *all);

#endif
