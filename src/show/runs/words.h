/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_RUNS_WORDS_H
#define NETBENCH_SHOW_RUNS_WORDS_H

#include "analyse/runs/judge.h"
#include "show/finding.h"

/* Of the findings of runs_findings. */
extern const struct sentence runs_sentences[];

/*
 * The range and the median over points of the smallest slowdown that can be seen; a new
 * reference.
 */
json_t *runs_spread_json(const struct run_table *t, const struct runs_judged *j);

/* The lines under the table, for free(); NULL without memory. `when`: "14:02 to 14:12", or "". */
char *runs_footer(const struct run_table *t, const struct runs_judged *j,
		  const struct findings *found, const char *const *labels, const char *when);

#endif
