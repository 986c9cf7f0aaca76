/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows whether requirements are met. The requirements come from results of check, from map's
 * --fail-if, and from the report's --require.
 */
#ifndef NETBENCH_CMD_REPORT_VERDICT_H
#define NETBENCH_CMD_REPORT_VERDICT_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/*
 * Writes PASS, FAIL, or that there is no verdict. Then writes a row for each requirement. Writes
 * nothing if there are no requirements.
 */
void report_verdict(struct page *to, const struct report *r);

#endif
