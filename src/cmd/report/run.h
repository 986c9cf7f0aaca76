/* SPDX-License-Identifier: Apache-2.0 */
/* Sections on each run: the command, how it ended, its warnings, how to repeat it, and its file. */
#ifndef NETBENCH_CMD_REPORT_RUN_H
#define NETBENCH_CMD_REPORT_RUN_H

#include <jansson.h>

#include "cmd/report/types.h"
#include "show/page/page.h"

/* Writes the command, file, date, status and number of points of each result. */
void report_results(struct page *to, const struct report *r);

/* Writes "Result 1". In HTML this text is a link to the heading that report_results writes. */
void report_link(struct page *to, size_t number);

void report_warnings(struct page *to, const json_t *doc);

/* Writes the command line and all options in effect, so that the run can be repeated. */
void report_command(struct page *to, const json_t *doc);

/*
 * Embeds the files of results in the page, as far as the page stays below HTML_MOST bytes. A reader
 * can save them from the page. Only in HTML.
 */
void report_data(struct page *to, const struct report *r);

#endif
