/* SPDX-License-Identifier: Apache-2.0 */
/* Writes verdicts into the summary of a result of map. */
#ifndef NETBENCH_SHOW_MAP_SUMMARY_H
#define NETBENCH_SHOW_MAP_SUMMARY_H

#include "analyse/map/judge.h"

/*
 * Returns the names of the hosts of verdict v or, if v is NULL, of a possible cause c. Returns a
 * text for one host, and a list for a pair or a group (new reference).
 */
json_t *summary_subject(char *const *name, const struct cause *c, const struct map_verdict *v);

/* Adds the verdicts and the facts behind them to the summary of a result. */
void summary_put(json_t *summary, const struct verdicts *all);

#endif
