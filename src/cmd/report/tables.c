/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables: for each result a table of each benchmark and a summary of its series; then the
 * definitions of all columns.
 */
#include "cmd/report/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/thin.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/report/columns.h"
#include "cmd/report/map.h"
#include "result/document.h"
#include "result/row.h"
#include "show/chart/select.h"
#include "show/monitor/words.h"
#include "show/page/facts.h"

/*
 * Columns that a table on a terminal omits. A table in a report shows such a column if its values
 * differ between rows.
 */
static const char *const keys[] = {
	"algorithm", "peers", "load", "window", "batch", "pairs", "credits",
};

/* Columns of the summary of series. Columns that rows lack have their heading and unit here. */
static const struct {
	const char *name, *head, *unit;
	bool always;		/* shown even if no series has a value */
} series_columns[] = {
	{ .name = "ranks" }, { .name = "algorithm" }, { .name = "peers" }, { .name = "window" },
	{ .name = "load" }, { .name = "sources" }, { .name = "stages" }, { .name = "destinations" },
	{ .name = "occupation_s" }, { .name = "credits" }, { "overhead_s", "overhead", "s", true },
	{ .name = "t0_s", .always = true }, { .name = "r_inf_Bps", .always = true },
	{ .name = "n_half_B", .always = true },
	{ "credits_needed", "credits needed", "", false },
	{ "throughput_max_Bps", "most B/s", "B/s", true },
	{ "frequency_max_Hz", "most Hz", "Hz", true },
};

/* Limit of rows of a table in a page; longer tables omit some. */
#define ROWS_MOST 3000

const struct command *command_of_rows(const json_t *doc, const char *benchmark)
{
	char name[64];

	snprintf(name, sizeof(name), "atlas-%s", benchmark);
	return command_find(*benchmark ? name : document_command(doc));
}

static void choose_columns(struct table_columns *list, const json_t *doc, const json_t *rows,
			   const struct command *cmd, json_t *used)
{
	const struct columns *shown = cmd && cmd->bench ? &cmd->bench->columns : NULL;
	size_t n = shown ? shown->ntable ? shown->ntable : shown->n : 0, i;
	json_t *c;

	for (size_t k = 0; k < LENGTH(keys); k++) {
		for (i = 0; i < n && strcmp(columns[shown->id[i]].name, keys[k]) != 0; i++)
			;
		if (i == n && rows_differ(rows, keys[k]))
			table_add_column(list, doc, keys[k], NULL, used);
	}
	for (i = 0; i < n; i++) {
		const char *name = columns[shown->id[i]].name;

		if (shown->id[i] != COL_NOTE || rows_have(rows, name))
			table_add_column(list, doc, name, shown->heads ? shown->heads[i] : NULL,
					 used);
	}
	if (!n)
		json_array_foreach(document_columns(doc), i, c)
			if (rows_have(rows, result_text(c, "name")))
				table_add_column(list, doc, result_text(c, "name"), NULL, used);
}

/*
 * Chooses the rows for the table of a benchmark. If there are too many rows for a page, writes a
 * sentence that says so, and divides the rows into parts. It then chooses, in each part, the rows
 * with the smallest, the median and the largest value. Returns a new reference.
 */
static json_t *choose_rows(struct page *to, const json_t *doc, const char *benchmark, json_t *rows)
{
	const char *column = select_usual_column(doc, benchmark);
	size_t i, n, all = json_array_size(rows), keep[ROWS_MOST];
	struct thin_point *p;
	json_t *shown, *row;

	if (to->form != PAGE_HTML || all <= ROWS_MOST)
		return json_incref(rows);
	p = memory_new(all, sizeof(*p));
	json_array_foreach(rows, i, row) {
		double value = column ? result_number(row, column) : NAN;

		p[i] = (struct thin_point){ (double)i, isnan(value) ? -INFINITY : value };
	}
	n = thin(p, all, ROWS_MOST / 3, keep);
	free(p);
	shown = json_array();
	for (i = 0; i < n; i++)
		json_array_append(shown, json_array_get(rows, keep[i]));
	page_paragraph_say(to, "The table has %zu of %zu rows: those with the least, the median "
			       "and the greatest `%s` in each part of them; the file has all.",
			   n, all, column ? column : "value");
	return shown;
}

bool report_leaves_rows_out(const json_t *doc)
{
	json_t *counts = rows_count_texts(document_rows(doc), "benchmark"), *n;
	const char *benchmark;
	bool more = false;

	json_object_foreach(counts, benchmark, n)
		more |= json_integer_value(n) > ROWS_MOST;
	json_decref(counts);
	return more && !report_is_map(doc);
}

static void put_benchmark(struct page *to, const struct report *r, size_t at, const char *benchmark)
{
	const json_t *doc = r->docs[at].json;
	const struct command *cmd = command_of_rows(doc, benchmark);
	struct table_columns list = { .rates = r->rates }, sums = list;
	json_t *rows = rows_of_benchmark(document_rows(doc), benchmark), *shown,
	       *series = rows_of_benchmark(result_at(doc, "summary.series"), benchmark);

	page_heading(to, 3, NULL, "Result %zu, %s%s%s%s", at + 1,
		     *benchmark ? benchmark : document_command(doc), cmd ? ": " : "",
		     cmd ? cmd->summary : "", result_is_computed(doc) ? " (computed)" : "");
	choose_columns(&list, doc, rows, cmd, r->used);
	if (report_is_map(doc)) {
		report_map_hosts(to, doc);
		shown = report_map_pairs(to, doc);
	} else {
		shown = choose_rows(to, doc, benchmark, rows);
	}
	table_write(to, &list, shown);
	for (size_t i = 0; i < LENGTH(series_columns) && rows_have(series, "ranks"); i++) {
		const char *name = series_columns[i].name, *head = series_columns[i].head;

		if (!series_columns[i].always && !rows_have(series, name))
			continue;
		if (head)
			sums.c[sums.n++] = (struct shown){ name, head, series_columns[i].unit,
							   false };
		else
			table_add_column(&sums, doc, name, NULL, r->used);
	}
	if (sums.n)
		table_write(to, &sums, series);
	json_decref(shown);
	json_decref(rows);
	json_decref(series);
}

void report_tables(struct page *to, const struct report *r)
{
	/* members of the summary that other sections show */
	static const char *const elsewhere[] = {
		"series", "loggp", "counters", "cpu_others_cores", "elapsed_s", "clock_error_s",
		"clock_closing_error_s", "machines", "verdicts", "judged", "findings",
		"over_time",
	};
	bool series = false;

	for (size_t i = 0; i < r->n; i++)
		series |= result_at(r->docs[i].json, "summary.series") != NULL;
	if (r->rates == RATE_BIT)
		page_paragraph_say(to, "Bandwidths are in bit/s: 8 times the numbers in the files, "
				       "which are in B/s.");
	if (series)
		page_paragraph_say(to, "A second table of a benchmark has the parameters of its "
				       "series, each over the message sizes:\nthe overhead (the "
				       "time at 0 B); the line t = t0 + n/r_inf, and the length "
				       "n_1/2 that reaches half of r_inf;\nthe most bytes and "
				       "events per second at any size.");
	for (size_t at = 0; at < r->n; at++) {
		const json_t *doc = r->docs[at].json;
		json_t *rest = json_copy(document_summary(doc)), *n,
		       *counts = rows_count_texts(document_rows(doc), "benchmark");
		const char *benchmark;

		if (monitor_is_result(doc)) {
			page_heading(to, 3, NULL, "Result %zu, over time", at + 1);
			page_paragraph_say(to, "The rows of all intervals are in the CSV file: "
					       "%zu in this one.",
					   json_array_size(document_rows(doc)));
			json_object_clear(counts);
		}
		json_object_foreach(counts, benchmark, n)
			put_benchmark(to, r, at, benchmark);
		if (!json_object_size(counts) && !monitor_is_result(doc)) {
			page_heading(to, 3, NULL, "Result %zu, no point", at + 1);
			page_paragraph_say(to, "No point was measured.");
		}
		for (size_t i = 0; i < LENGTH(elsewhere); i++)
			json_object_del(rest, elsewhere[i]);
		if (json_object_size(rest)) {
			page_paragraph_say(to, "Summary:");
			put_members(to, 1, rest, r->rates);
		}
		json_decref(rest);
		json_decref(counts);
	}
}

void report_definitions(struct page *to, const struct report *r)
{
	const char *name;
	json_t *entry;

	json_object_foreach(r->used, name, entry) {
		const char *unit = result_text(entry, "unit");

		page_item_say(to, 1, "`%s` (%s%s%s): %s", name,
			      value_text(to, json_object_get(entry, "heads"), ""),
			      *unit ? "; " : "", unit,
			      value_text(to, json_object_get(entry, "definition"), ""));
	}
	if (!json_object_size(r->used))
		page_paragraph_say(to, "None, as this report has no tables.");
}
