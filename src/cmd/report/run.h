/* SPDX-License-Identifier: Apache-2.0 */
/* What was run: the command, how it ended, its warnings, how to repeat it, and its file. */
#ifndef NETBENCH_CMD_REPORT_RUN_H
#define NETBENCH_CMD_REPORT_RUN_H

#include <jansson.h>

#include "cmd/report/types.h"
#include "show/page/page.h"

/* The command, file, date, status and points of each result. */
void report_results(struct page *to, const struct report *r);

/* "Result 1", in HTML a link to its heading in report_results. */
void report_link(struct page *to, size_t number);

void report_warnings(struct page *to, const json_t *doc);

/* The command line and the options in force: with both the run can be repeated. */
void report_command(struct page *to, const json_t *doc);

/* The files, to be saved from the page, as far as it stays below HTML_MOST bytes. HTML only. */
void report_data(struct page *to, const struct report *r);

#endif
