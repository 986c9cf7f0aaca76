/* SPDX-License-Identifier: Apache-2.0 */
/* What was run: the command, how it ended, its warnings, how to repeat it, and its file. */
#ifndef NETBENCH_CMD_REPORT_RUN_H
#define NETBENCH_CMD_REPORT_RUN_H

#include <jansson.h>

#include "cmd/report/types.h"
#include "show/page/page.h"

/* Of each result its command, file, date, status and points. */
void report_results(struct page *to, const struct report *r);

/* "Result 1", in HTML a link to what report_results says of it. */
void report_link(struct page *to, size_t number);

void report_warnings(struct page *to, const json_t *doc);

/* What was typed, and what it came to: with both it can be repeated. */
void report_command(struct page *to, const json_t *doc);

/* The files, to be saved from the page, as far as it stays below HTML_MOST bytes. HTML only. */
void report_data(struct page *to, const struct report *r);

#endif
