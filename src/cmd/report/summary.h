/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the summary of a report: one sentence with the main numbers for each result. */
#ifndef NETBENCH_CMD_REPORT_SUMMARY_H
#define NETBENCH_CMD_REPORT_SUMMARY_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/*
 * Writes the verdict on all results, an item for each result, and the numbers of results that are
 * complete or have warnings.
 */
void report_summary(struct page *to, const struct report *r);

#endif
