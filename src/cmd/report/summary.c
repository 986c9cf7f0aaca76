/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the summary of a report: one sentence with the main numbers for each result. */
#include "cmd/report/summary.h"

#include <math.h>
#include <string.h>

#include "analyse/finding.h"
#include "base/sort.h"
#include "cli/command.h"
#include "cmd/report/columns.h"
#include "cmd/report/loaded.h"
#include "cmd/report/map.h"
#include "cmd/report/run.h"
#include "cmd/report/tables.h"
#include "cmd/report/verdict.h"
#include "result/document.h"
#include "result/row.h"
#include "show/chart/select.h"
#include "show/chart/words.h"
#include "show/monitor/words.h"
#include "show/page/facts.h"

/*
 * Columns besides the size. If rows differ in such a column, the sentence about a row names its
 * value.
 */
static const struct {
	const char *name, *before, *after, *unit;
} keys[] = {
	{ "ranks", "", " ranks", "" }, { "algorithm", "", "", "" }, { "pattern", "", "", "" },
	{ "load", "load ", "", "" }, { "window", "window ", "", "" },
	{ "batch", "batch ", "", "" }, { "pairs", "", " pairs", "" },
	{ "peers", "", " peers", "" }, { "sources", "", " sources", "" },
	{ "stages", "", " stages", "" }, { "destinations", "", " destinations", "" },
	{ "occupation_s", "occupation ", "", "s" }, { "credits", "credits ", "", "" },
};

/* The main number of a benchmark. */
struct headline {
	const json_t *row;	/* the row with this number; NULL: no row has a value */
	const char *column, *unit;
	/*
	 * true: the number is the shortest time at the smallest size; false: it is the largest
	 * value
	 */
	bool time;
	size_t nsizes, npoints;	/* numbers of sizes and of points from which it was chosen */
};

/* Returns whether a computing task ran while a row was measured. */
static bool is_loaded(const json_t *row)
{
	const char *load = row_text(row, COL_LOAD);

	return *load && strcmp(load, "none") != 0;
}

/*
 * Returns whether row a is preferred to b. A row without load is preferred. If the loads are alike,
 * a time is preferred if its message is smaller, then if the time is shorter. Other values are
 * preferred if they are larger.
 */
static bool is_preferred(const struct headline *h, const json_t *a, const json_t *b)
{
	double x = result_number(a, h->column), y = result_number(b, h->column),
	       size_a = row_number(a, COL_SIZE), size_b = row_number(b, COL_SIZE);

	if (is_loaded(a) != is_loaded(b))
		return is_loaded(b);
	if (!h->time)
		return x > y;
	return size_a < size_b || (!(size_a > size_b) && x < y);
}

static struct headline find_headline(const json_t *doc, const char *benchmark, const json_t *rows)
{
	struct headline h = { .column = select_usual_column(doc, benchmark) };
	json_t *row, *sizes = json_object();
	char size[32];
	size_t i;

	if (h.column) {
		h.unit = result_text(result_column(doc, h.column), "unit");
		h.time = !strcmp(h.unit, "s");
	}
	json_array_foreach(rows, i, row)
		if (h.column && !isnan(result_number(row, h.column)) &&
		    (!h.row || is_preferred(&h, row, h.row)))
			h.row = row;
	json_array_foreach(rows, i, row) {
		double bytes = row_number(row, COL_SIZE);

		if (!h.row || isnan(result_number(row, h.column)) ||
		    is_loaded(row) != is_loaded(h.row))
			continue;
		snprintf(size, sizeof(size), "%.17g", bytes);
		json_object_set_new(sizes, size, json_true());
		h.npoints += !h.time || !order_doubles(bytes, row_number(h.row, COL_SIZE));
	}
	h.nsizes = json_object_size(sizes);
	json_decref(sizes);
	return h;
}

/*
 * Writes the main number of a benchmark, such as "half round trip 807.3 ns (95 % interval 182.8 ns
 * to 1.289 us) for messages of 0 B, window 1".
 */
static void put_headline(struct page *to, const json_t *doc, const char *benchmark,
			 enum rate_unit rates)
{
	json_t *rows = rows_of_benchmark(document_rows(doc), benchmark);
	struct headline h = find_headline(doc, benchmark, rows);
	char number[64];
	const char *note = "";
	const json_t *v;
	size_t i = 0;

	if (!h.row) {
		while (i < json_array_size(rows) && !*note)
			note = row_text(json_array_get(rows, i++), COL_NOTE);
		page_say(to, "no value%s%s", *note ? ": " : "", note);
		json_decref(rows);
		return;
	}
	page_say(to, "%s **%s**", words_of(h.column).s,
		 format_rate(number, sizeof(number), result_number(h.row, h.column), h.unit,
			     rates));
	if (!put_interval(to, result_part(h.row, h.column, "lo"),
			  result_part(h.row, h.column, "hi"), h.unit, rates) &&
	    !result_is_computed(doc))
		page_say(to, " (no interval)");
	if (json_is_number(row_cell(h.row, COL_SIZE)))
		page_say(to, " for messages of %s", value_text(to, row_cell(h.row, COL_SIZE), "B"));
	for (i = 0; i < LENGTH(keys); i++) {
		v = json_object_get(h.row, keys[i].name);
		if (v && !json_is_null(v) && rows_differ(rows, keys[i].name))
			page_say(to, ", %s%s%s", keys[i].before,
				 value_text(to, v, keys[i].unit), keys[i].after);
	}
	if (h.time && h.nsizes > 1)
		page_say(to, ", the smallest of %zu sizes", h.nsizes);
	if (h.npoints > 1)
		page_say(to, h.time ? ", the least of its %zu points" : ", the most of %zu points",
			 h.npoints);
	json_decref(rows);
}

/* Writes how many guidelines a result of collective has judged, and those that are violated. */
static void put_guidelines(struct page *to, const json_t *sum)
{
	const json_t *findings = result_at(sum, "findings"), *finding;
	size_t count[NVERDICTS] = { 0 }, i;

	json_array_foreach(findings, i, finding)
		for (int v = 0; v < NVERDICTS; v++)
			count[v] += !strcmp(result_text(finding, "verdict"), verdict_names[v]);
	page_say(to, "; **%zu of %zu guidelines violated**, %zu not judged", count[VERDICT_YES],
		 json_array_size(findings), count[VERDICT_CANNOT_TELL]);
	json_array_foreach(findings, i, finding)
		if (!strcmp(result_text(finding, "verdict"), verdict_names[VERDICT_YES]))
			page_item_say(to, 2, "%s", result_text(finding, "text"));
}

/* Writes the verdicts that a result of 'netbench runs' has about its commands. */
static void put_margins(struct page *to, const json_t *sum)
{
	const json_t *finding;
	const char *before = "";
	size_t i;

	json_array_foreach(result_at(sum, "findings"), i, finding) {
		if (strcmp(result_text(finding, "kind"), "margin") != 0)
			continue;
		page_say(to, "%s**%s**", before, result_text(finding, "text"));
		before = "; ";
	}
}

/*
 * Writes the main numbers of a result. These are b_eff, the counts of a comparison, findings, or
 * the main number of each benchmark.
 */
static void put_numbers(struct page *to, const json_t *doc, enum rate_unit rates)
{
	const json_t *rows = document_rows(doc), *sum = document_summary(doc);
	double b_eff = result_number(sum, "b_eff_Bps"),
	       alike = result_number(sum, "no_difference_seen");
	const char *benchmark;
	char number[64];
	json_t *counts, *n, *finding, *words = monitor_words_of_result(doc);
	size_t i;

	if (words) {
		page_say(to, "measured over time");
		json_array_foreach(words, i, n)
			page_item_say(to, 2, "%s", json_string_value(n));
	} else if (report_is_map(doc)) {
		report_map_summary(to, doc, rates);
	} else if (result_is_comparison(doc) && isnan(alike)) {
		put_margins(to, sum);
	} else if (!strcmp(document_command(doc), "history")) {
		page_say(to, "%zu findings", json_array_size(result_at(sum, "findings")));
		json_array_foreach(result_at(sum, "findings"), i, finding)
			page_item_say(to, 2, "%s", result_text(finding, "text"));
	} else if (!json_array_size(rows)) {
		page_say(to, "no point was measured");
	} else if (!isnan(b_eff)) {
		page_say(to, "b_eff **%s**",
			 format_rate(number, sizeof(number), b_eff, "B/s", rates));
		if (!put_interval(to, result_number(sum, "b_eff_lo_Bps"),
				  result_number(sum, "b_eff_hi_Bps"), "B/s", rates) &&
		    !result_is_computed(doc))
			page_say(to, " (no interval)");
		page_say(to, ", a mean over %.0f sizes", result_number(sum, "b_eff_sizes"));
	} else if (!isnan(alike)) {
		page_say(to, "points of B compared with A: **%.0f faster, %.0f slower**, %.0f "
			     "without a visible difference, %.0f without verdict",
			 result_number(sum, "faster"), result_number(sum, "slower"), alike,
			 result_number(sum, "without_verdict"));
	} else if (report_is_load(doc)) {
		report_load(to, doc);
	} else if (!rows_differ(rows, "benchmark")) {
		put_headline(to, doc, "", rates);
		if (!strcmp(document_command(doc), "collective") && result_at(sum, "findings"))
			put_guidelines(to, sum);
	} else {
		page_say(to, "%zu points", json_array_size(rows));
		counts = rows_count_texts(rows, "benchmark");
		json_object_foreach(counts, benchmark, n) {
			const struct command *cmd = command_of_rows(doc, benchmark);

			page_item_say(to, 2, "%s%s%s: ", benchmark, cmd ? ", " : "",
				      cmd ? cmd->summary : "");
			put_headline(to, doc, benchmark, rates);
		}
		json_decref(counts);
	}
	json_decref(words);
}

void report_summary(struct page *to, const struct report *r)
{
	size_t nwarnings = 0, nwarned = 0, nwhole = 0;

	report_verdict(to, r);
	for (size_t i = 0; i < r->n; i++) {
		const json_t *doc = r->docs[i].json;
		const struct command *cmd = command_find(document_command(doc));
		const char *backend = result_text(doc, "environment.backend.name"),
			   *host = result_text(doc, "environment.host.name"),
			   *status = document_status(doc);
		double ranks = result_number(doc, "environment.nranks"),
		       wrong = rows_sum(document_rows(doc), "errors");
		bool whole = !strcmp(status, "complete");

		page_item(to, 1);
		report_link(to, i + 1);
		page_say(to, ", %s: %s", r->docs[i].path,
			 cmd ? cmd->summary : document_command(doc));
		if (*backend && isnan(ranks))
			page_say(to, " on %s", backend);
		else if (*backend)
			page_say(to, ", %.0f ranks on %s", ranks, backend);
		if (result_is_computed(doc))
			page_say(to, ", computed, not measured");
		else if (*host)
			page_say(to, ", rank 0 on %s", host);
		if (result_is_emulated(doc))
			page_say(to, ", times of an emulator, not of a network");
		if (!whole)
			page_say(to, "; **%s**", *status ? status : "not known to be complete");
		if (wrong > 0)
			page_say(to, "; **%.0f messages wrong**", wrong);
		page_say(to, ": ");
		put_numbers(to, doc, r->rates);
		nwarnings += json_array_size(document_warnings(doc));
		nwarned += json_array_size(document_warnings(doc)) > 0;
		nwhole += whole;
	}
	page_paragraph_say(to, "%zu of %zu results %s complete. ", nwhole, r->n,
			   r->n == 1 ? "is" : "are");
	if (nwarnings)
		page_say(to, "Warnings: %zu, of %zu result%s; they are below.", nwarnings, nwarned,
			 nwarned == 1 ? "" : "s");
	else
		page_say(to, "Warnings: none.");
}
