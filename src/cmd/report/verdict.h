/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was required, and whether it is met: of results of check as they say, of map by --fail-if,
 * and by --require.
 */
#ifndef NETBENCH_CMD_REPORT_VERDICT_H
#define NETBENCH_CMD_REPORT_VERDICT_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/* PASS or FAIL, and a row for each requirement; nothing without requirements. */
void report_verdict(struct page *to, const struct report *r);

#endif
