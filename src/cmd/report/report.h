/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results as Markdown: report.c reads them and puts the sections in order, report_env.c says on what they came about,
 * report_method.c how, report_tables.c has the numbers, report_scaling.c those of many ranks, report_md.c how a value is
 * written. All of it goes to a stream; nothing here knows where that leads.
 */
#ifndef NETBENCH_CMD_REPORT_REPORT_H
#define NETBENCH_CMD_REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "result/reader.h"

/* A result file that has been read and checked: it has a command, options, an environment, columns and rows. */
struct document {
	const char *path;
	json_t *json;
};

/* ---- writing ---- */

/* A text in which nothing means anything to Markdown. */
void md_text(FILE *to, const char *text);

/*
 * A value with its unit ("s", "B/s", ... or "" for none), for people: times and rates scaled, bytes in binary multiples,
 * "unknown" for null, "not recorded" for NULL.
 */
void md_value(FILE *to, json_t *v, const char *unit);

/* A line of a list: "* label: value". */
void md_fact(FILE *to, const char *label, json_t *v, const char *unit);

/* Such lines by a table: where each value lies. */
struct md_fact {
	const char *label, *path, *unit;
};
void md_facts(FILE *to, const json_t *of, const struct md_fact *facts, size_t n);

/*
 * Such a line for each member of an object, labels and units from the names ("eager_B"), but for those in `skip`, which NULL
 * ends; `indent` goes before each line.
 */
void md_members(FILE *to, const char *indent, json_t *object, const char *const *skip);

/* A line of a list, and under it another with a line for each member. */
void md_list(FILE *to, const char *label, json_t *object);

/* ---- sections: each writes what a document has to say ---- */

void report_platform(FILE *to, const json_t *doc);
void report_placement(FILE *to, const json_t *doc);
void report_language(FILE *to, const json_t *doc);
void report_system(FILE *to, const json_t *doc);
void report_communication(FILE *to, const json_t *doc);
void report_method(FILE *to, const json_t *doc);
void report_caching(FILE *to, const json_t *doc);
void report_others(FILE *to, const json_t *doc);

/* What stands of all documents together; `used` collects the columns of the tables, for report_definitions. */
void report_scaling(FILE *to, const struct document *docs, size_t n, json_t *used);
void report_tables(FILE *to, const struct document *docs, size_t n, json_t *used);
void report_definitions(FILE *to, json_t *used);

/* ---- tables ---- */

/* A column of a table. */
struct shown {
	const char *name, *head, *unit;
	bool text;
};

#define SHOWN_MAX 128

/* Columns in the order in which they are shown. */
struct shown_list {
	struct shown c[SHOWN_MAX];
	size_t n;
};

/*
 * Adds a document's column, unless it has none of that name or it is there already; head: NULL
 * for the usual one.
 */
void shown_add(struct shown_list *list, const json_t *doc, const char *name, const char *head, json_t *used);

/* A table of the rows that `take` wants. */
void shown_write(FILE *to, const struct shown_list *list, const json_t *rows,
		 bool (*take)(const json_t *row, const void *arg), const void *arg);

#endif
