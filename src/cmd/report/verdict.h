/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether requirements are met: those that results of check recorded, those of map's --fail-if, and
 * those of the report's --require.
 */
#ifndef NETBENCH_CMD_REPORT_VERDICT_H
#define NETBENCH_CMD_REPORT_VERDICT_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/*
 * Writes PASS or FAIL (or that it cannot be judged), and a row for each requirement. If there are
 * no requirements it writes nothing.
 */
void report_verdict(struct page *to, const struct report *r);

#endif
