/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_RUNS_WORDS_H
#define NETBENCH_SHOW_RUNS_WORDS_H

#include "analyse/runs/judge.h"
#include "show/finding.h"

/* The sentences for the findings of runs_findings. */
extern const struct sentence runs_sentences[];

/*
 * Determines, for each point, the smallest slowdown that the runs can show. Returns the minimum,
 * the median and the maximum of these slowdowns over all points (new reference).
 */
json_t *runs_spread_json(const struct run_table *t, const struct runs_judged *j);

/*
 * Returns the lines below the table, or NULL without memory. The caller frees the text. `when` is
 * the time of the runs, such as "14:02 to 14:12", or "".
 */
char *runs_footer(const struct run_table *t, const struct runs_judged *j,
		  const struct findings *found, const char *const *labels, const char *when);

#endif
