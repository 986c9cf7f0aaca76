/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results as Markdown: report.c reads them and orders the sections, environment.c describes the
 * machine, method.c how was measured, tables.c has the numbers, scaling.c those of many ranks,
 * markdown.c writes values.
 */
#ifndef NETBENCH_CMD_REPORT_REPORT_H
#define NETBENCH_CMD_REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "result/reader.h"
#include "result/row.h"

/* A result file, read and checked by result_read. */
struct document {
	const char *path;
	json_t *json;
};

/* ---- writing ---- */

/*
 * Writes a value with its unit ("s", "B/s", ... or "" for none), for people: times and rates
 * scaled, bytes in binary multiples, "unknown" for null, "not recorded" for NULL.
 */
void md_value(FILE *to, json_t *v, const char *unit);

/* Writes a text or a value by the functions above, between two pieces of Markdown. */
void md_put(FILE *to, const char *before, const char *text, const char *after);
void md_put_value(FILE *to, const char *before, json_t *v, const char *unit, const char *after);

/* A line of a list: "* label: value". */
void md_fact(FILE *to, const char *label, json_t *v, const char *unit);

/* Such lines by a table of paths in `of`. */
struct md_fact {
	const char *label, *path, *unit;
};
void md_facts(FILE *to, const json_t *of, const struct md_fact *facts, size_t n);

/*
 * Such a line for each member of an object, labels and units from the names ("eager_B"), except
 * those in `skip`, which ends with NULL and may be NULL; `indent` goes before each line.
 */
void md_members(FILE *to, const char *indent, json_t *object, const char *const *skip);

/* A line of a list, and under it a list of the object's members. */
void md_list(FILE *to, const char *label, json_t *object);

/* ---- sections of one document ---- */

void report_platform(FILE *to, const json_t *doc);
void report_placement(FILE *to, const json_t *doc);
void report_language(FILE *to, const json_t *doc);
void report_system(FILE *to, const json_t *doc);
void report_communication(FILE *to, const json_t *doc);
void report_method(FILE *to, const json_t *doc);
void report_caching(FILE *to, const json_t *doc);
void report_others(FILE *to, const json_t *doc);

/*
 * Sections of all documents together, with bandwidths in the unit of `rates`; `used` collects the
 * columns of the tables for report_definitions.
 */
void report_scaling(FILE *to, const struct document *docs, size_t n, enum rate_unit rates,
		    json_t *used);
void report_tables(FILE *to, const struct document *docs, size_t n, enum rate_unit rates,
		   json_t *used);
void report_definitions(FILE *to, json_t *used);

/* ---- tables ---- */

/* A column of a table. */
struct shown {
	const char *name, *head, *unit;
	bool text;
};

#define SHOWN_MAX 128

/* Columns in the order in which they are shown, and the unit of bandwidths among them. */
struct shown_list {
	enum rate_unit rates;
	struct shown c[SHOWN_MAX];
	size_t n;
};

/* True if a row for which `take` returns true has a value of this name; NULL: if there is one. */
bool rows_have(const json_t *rows, const char *name,
	       bool (*take)(const json_t *row, const void *arg), const void *arg);

/*
 * Adds a document's column if it has one of that name and the list does not; head: NULL for the
 * usual one.
 */
void shown_add(struct shown_list *list, const json_t *doc, const char *name, const char *head,
	       json_t *used);

/* Writes a table of the rows for which `take` returns true. */
void shown_write(FILE *to, const struct shown_list *list, const json_t *rows,
		 bool (*take)(const json_t *row, const void *arg), const void *arg);

#endif
