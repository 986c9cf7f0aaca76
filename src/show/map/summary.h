/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts in the summary of a result. */
#ifndef NETBENCH_SHOW_MAP_SUMMARY_H
#define NETBENCH_SHOW_MAP_SUMMARY_H

#include "analyse/map/judge.h"

/*
 * The names of a verdict's hosts, or with v NULL of those of another possible cause. A host is a
 * text, a pair or a group a list. New reference.
 */
json_t *summary_subject(char *const *name, const struct cause *c, const struct map_verdict *v);

/* Puts the verdicts, and the facts behind them, into the summary of a result. */
void summary_put(json_t *summary, const struct verdicts *all);

#endif
