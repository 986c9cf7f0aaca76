/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts in the summary of a result. */
#ifndef NETBENCH_SHOW_MAP_SUMMARY_H
#define NETBENCH_SHOW_MAP_SUMMARY_H

#include "analyse/map/verdicts.h"

/* A number for a summary; null unless it is finite. New reference. */
json_t *summary_number(double v);

/* Puts the verdicts, and the facts behind them, into the summary of a result. */
void summary_put(json_t *summary, const struct verdicts *all);

#endif
