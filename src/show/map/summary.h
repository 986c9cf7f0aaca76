/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts in the summary of a result. */
#ifndef NETBENCH_SHOW_MAP_SUMMARY_H
#define NETBENCH_SHOW_MAP_SUMMARY_H

#include "analyse/map/judge.h"

/*
 * The hosts of a verdict, or of the cause that it may have instead (v NULL), by their names: a host
 * as a text, a pair or a group as a list. New reference.
 */
json_t *summary_subject(char *const *name, const struct cause *c, const struct map_verdict *v);

/* Puts the verdicts, and the facts behind them, into the summary of a result. */
void summary_put(json_t *summary, const struct verdicts *all);

#endif
