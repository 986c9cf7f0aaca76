/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results with their discussion: report.c reads them and orders the sections, verdict.c says what
 * was required and is met, summary.c says each in a sentence, run.c what was run, tables.c has the
 * numbers, map.c those of map, scaling.c those of many ranks, environment.c describes the machine,
 * method.c how was measured,
 * pictures.c draws, data.c has the files themselves, facts.c writes values, page.c
 * Markdown or HTML, html.c what surrounds that.
 */
#ifndef NETBENCH_CMD_REPORT_REPORT_H
#define NETBENCH_CMD_REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"
#include "analyse/require.h"
#include "cmd/report/page.h"
#include "result/reader.h"
#include "result/row.h"
#include "show/svg.h"

/* A result file, read and checked by result_read_bytes. */
struct document {
	const char *path;
	json_t *json;
	char *bytes;
	size_t nbytes;
	size_t figure;			/* number of that which it is in, from 0 */
	size_t nfound;			/* findings of this and of those before it */
};

/* Pictures of results that have the same columns. */
struct page_figure {
	struct plot_svg *svg;
	size_t n;
	char why[ERROR_TEXT];		/* why not all pictures are there; "": they are */
};

/* What a report is of; `used` collects the columns of its tables, for report_definitions. */
struct report {
	struct document *docs;
	size_t n;
	struct page_figure *figures;		/* in HTML */
	size_t nfigures;
	enum rate_unit rates;
	const char *title, *site, *author, *date;
	struct figures found;		/* of all, in their order */
	struct requirements required;	/* by --require, judged */
	json_t *used;
};

/* ---- values (facts.c) ---- */

/*
 * Writes a value with its unit ("s", "B/s", ... or "" for none), for people: times and rates
 * scaled, bytes in binary multiples, "unknown" for null, "not recorded" for NULL.
 */
void put_value(struct page *to, json_t *v, const char *unit);

/* An item of a list: "label: value". */
void put_fact(struct page *to, const char *label, json_t *v, const char *unit);

/* Such items by a table of paths in `of`. */
struct fact {
	const char *label, *path, *unit;
};
void put_facts(struct page *to, const json_t *of, const struct fact *facts, size_t n);

/*
 * Such an item for each member of an object, labels and units from the names ("eager_B"), except
 * those in `skip`, which ends with NULL and may be NULL.
 */
void put_members(struct page *to, unsigned depth, json_t *object, const char *const *skip);

/* An item, and under it a list of the object's members. */
void put_list(struct page *to, const char *label, json_t *object);

/* ---- sections of one document ---- */

void report_platform(struct page *to, const json_t *doc);
void report_placement(struct page *to, const json_t *doc);
void report_language(struct page *to, const json_t *doc);
void report_system(struct page *to, const json_t *doc);
void report_communication(struct page *to, const json_t *doc);
void report_method(struct page *to, const json_t *doc);
void report_caching(struct page *to, const json_t *doc);
void report_others(struct page *to, const json_t *doc);
void report_warnings(struct page *to, const json_t *doc);
void report_command(struct page *to, const json_t *doc);

/* ---- sections of all documents together ---- */

/* PASS or FAIL, and a row for each requirement; nothing if there is none. */
void report_verdict(struct page *to, const struct report *r);

void report_summary(struct page *to, const struct report *r);
void report_results(struct page *to, const struct report *r);
void report_tables(struct page *to, const struct report *r);

/* True if a table of the result has not all rows in a page. */
bool report_leaves_rows_out(const json_t *doc);

void report_scaling(struct page *to, const struct report *r);
void report_definitions(struct page *to, const struct report *r);

/* The files, to be saved from the page, as far as it stays below HTML_MOST bytes. HTML only. */
void report_data(struct page *to, const struct report *r);

/* ---- pictures (pictures.c), HTML only ---- */

/* Draws the figures, as far as they can be drawn. ST_OK, or ST_FAILED (reported). */
int report_draw(struct report *r);
void report_free_figures(struct report *r);

void report_pictures(struct page *to, const struct report *r);

/* ---- results of map (map.c) ---- */

bool report_is_map(const json_t *doc);

/* How many hosts, and in a list the verdicts, what was judged, and the median of all pairs. */
void report_map_summary(struct page *to, const json_t *doc, enum rate_unit rates);

/* A table of the slowest hosts for each quantity and class. */
void report_map_hosts(struct page *to, const json_t *doc);

/*
 * How slow a pair is at least whose row the table has, for report_map_takes; 0: it has all. Says so
 * if it has not.
 */
double report_map_least(struct page *to, const json_t *doc);
bool report_map_takes(const json_t *row, const void *least);

/* ---- HTML ---- */

/* A page is no larger than this, unless it is that without the files. */
#define HTML_MOST 5000000

/* What comes before the blocks of a page, and after them. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

/* Bytes in base64, for free(); NULL without memory. */
char *data_base64(const void *bytes, size_t n);

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

/* True for rows of a benchmark of the note; for all if that is "". */
bool row_is_of(const json_t *row, const void *benchmark);

/* The command that writes such rows of a result; NULL if this netbench has none. */
const struct command *command_of(const json_t *doc, const char *benchmark);

/* True if the rows of a benchmark that have a column differ in it. */
bool rows_differ(const json_t *rows, const char *benchmark, const char *name);

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
void shown_write(struct page *to, const struct shown_list *list, const json_t *rows,
		 bool (*take)(const json_t *row, const void *arg), const void *arg);

#endif
