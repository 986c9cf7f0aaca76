/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables: for each result a table of each benchmark and a summary of its series; then the
 * definitions of all columns.
 */
#ifndef NETBENCH_CMD_REPORT_TABLES_H
#define NETBENCH_CMD_REPORT_TABLES_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/command.h"
#include "cmd/report/types.h"
#include "show/page/page.h"

/*
 * Returns the command that wrote the rows of a benchmark in a result; NULL if this netbench does
 * not have the command.
 */
const struct command *command_of_rows(const json_t *doc, const char *benchmark);

/* Writes the tables of all results. Records their columns in r->used. */
void report_tables(struct page *to, const struct report *r);

/* Returns whether a page omits rows of any table of the result. */
bool report_leaves_rows_out(const json_t *doc);

/* Writes the names, headings, units and definitions of the columns of all tables. */
void report_definitions(struct page *to, const struct report *r);

#endif
