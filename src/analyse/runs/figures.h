/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of several runs as those of one: what `check --runs` judges. Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_FIGURES_H
#define NETBENCH_ANALYSE_RUNS_FIGURES_H

#include "analyse/require.h"

/*
 * Adds a figure for each that a run has: the median over the n runs, in their order, with its
 * interval (R10). A run in which it is missing does not count for it; one of few repetitions does,
 * as the interval is of runs. A figure that is no positive number is left out, a computed one stays
 * exact. Texts are those of the runs. ST_OK, or ST_FAILED without memory (reported).
 */
int runs_figures(const struct figures *runs, size_t n, struct figures *all);

#endif
