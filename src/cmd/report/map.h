/* SPDX-License-Identifier: Apache-2.0 */
/* Results of map: the verdicts, the slowest hosts, and of many pairs the slowest. */
#ifndef NETBENCH_CMD_REPORT_MAP_H
#define NETBENCH_CMD_REPORT_MAP_H

#include <jansson.h>
#include <stdbool.h>

#include "result/row.h"
#include "show/page/page.h"

bool report_is_map(const json_t *doc);

/* How many hosts, and in a list the verdicts, what was judged, and the median of all pairs. */
void report_map_summary(struct page *to, const json_t *doc, enum rate_unit rates);

/* A table of the slowest hosts for each quantity and class. */
void report_map_hosts(struct page *to, const json_t *doc);

/*
 * How slow a pair is at least whose row the table has, for report_map_takes; 0: it has all. Says so
 * if it has not.
 */
double report_map_least(struct page *to, const json_t *doc);

bool report_map_takes(const json_t *row, const void *least);

#endif
