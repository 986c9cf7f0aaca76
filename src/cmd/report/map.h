/* SPDX-License-Identifier: Apache-2.0 */
/* Sections on results of map: the verdicts, the slowest hosts, and the pairs. */
#ifndef NETBENCH_CMD_REPORT_MAP_H
#define NETBENCH_CMD_REPORT_MAP_H

#include <jansson.h>
#include <stdbool.h>

#include "result/row.h"
#include "show/page/page.h"

bool report_is_map(const json_t *doc);

/* Writes the number of hosts, then a list of the verdicts, the other findings and the medians. */
void report_map_summary(struct page *to, const json_t *doc, enum rate_unit rates);

/* Writes a table of the slowest hosts for each quantity and class. */
void report_map_hosts(struct page *to, const json_t *doc);

/*
 * Returns the rows for the table of pairs (new reference). If the table omits some pairs, writes a
 * sentence that says so.
 */
json_t *report_map_pairs(struct page *to, const json_t *doc);

#endif
