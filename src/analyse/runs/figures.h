/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the figures of several runs into one, for `check --runs`. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_FIGURES_H
#define NETBENCH_ANALYSE_RUNS_FIGURES_H

#include "analyse/require.h"

/*
 * Combines the n runs, which are in the order of measurement. For each figure of any run, adds its
 * median over the runs with its interval (R10). Runs without the figure are ignored. A run with too
 * few repetitions counts, because the interval is over runs. Figures that are not positive numbers
 * are left out. A computed figure stays exact. Texts belong to the runs. Returns ST_OK, or
 * ST_FAILED without memory (reported).
 */
int combine_figures(const struct figures *runs, size_t n, struct figures *all);

#endif
