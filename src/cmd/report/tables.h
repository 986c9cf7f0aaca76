/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of a result: a table for each benchmark, a summary of its series, and the columns'
 * definitions.
 */
#ifndef NETBENCH_CMD_REPORT_TABLES_H
#define NETBENCH_CMD_REPORT_TABLES_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/command.h"
#include "cmd/report/types.h"
#include "show/page/page.h"

/* The command that wrote a result's rows of a benchmark; NULL if this netbench does not have it. */
const struct command *command_of(const json_t *doc, const char *benchmark);

/* The tables of all results. Notes their columns in `used`. */
void report_tables(struct page *to, const struct report *r);

/* True if a page leaves out rows of a table of the result. */
bool report_leaves_rows_out(const json_t *doc);

/* The columns of these tables: names, headings, units and definitions. */
void report_definitions(struct page *to, const struct report *r);

#endif
