/* SPDX-License-Identifier: Apache-2.0 */
/* The section of a report on results of `collective`. */
#ifndef NETBENCH_CMD_REPORT_COLLECTIVE_H
#define NETBENCH_CMD_REPORT_COLLECTIVE_H

#include <stdbool.h>

#include "cmd/report/types.h"
#include "show/page/page.h"

/* Returns whether the report has a result of `collective`. */
bool report_has_collectives(const struct report *r);

/*
 * Writes for each result of `collective` a table: which algorithm is the quickest of each
 * operation, and from which size on.
 */
void report_collectives(struct page *to, const struct report *r);

#endif
