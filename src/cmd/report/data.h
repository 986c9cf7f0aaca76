/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a report, in its page. */
#ifndef NETBENCH_CMD_REPORT_DATA_H
#define NETBENCH_CMD_REPORT_DATA_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/* The files, to be saved from the page, as far as it stays below HTML_MOST bytes. HTML only. */
void report_data(struct page *to, const struct report *r);

#endif
