/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_MEASURE_H
#define NETBENCH_ANALYSE_COMPARE_MEASURE_H

#include "analyse/compare/two.h"

/* Refuses results of another command or definition than the first. ST_OK or ST_USAGE (reported). */
int compared_check(const struct compared *all);

/*
 * Sets the measure to a column by its name, or with NULL to the first ROLE_MAIN or ROLE_SCORE
 * column that all results have; `with_bounds`: with an interval of each value. ST_OK or ST_USAGE
 * (reported).
 */
int measure_choose(const struct compared *all, const char *name, bool with_bounds,
		   struct measure *m);

#endif
