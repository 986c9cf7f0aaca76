/* SPDX-License-Identifier: Apache-2.0 */
/* Results of map: the verdicts, the slowest hosts, and of many pairs the slowest. */
#include "cmd/report/map.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"
#include "result/row.h"
#include "show/page/facts.h"

/* Hosts that are named as the slowest, and in the table; rows of pairs that are all shown. */
#define NAMED 5
#define LISTED 20
#define PAIRS_MOST 1000
#define PAIRS_SHOWN 100

bool report_is_map(const json_t *doc)
{
	return !strcmp(document_command(doc), "map");
}

/* ---- the summary ---- */

/* "bandwidth", or of several classes "bandwidth, class fast" */
static void put_quantity(struct page *to, const json_t *of)
{
	const char *class = result_text(of, "class");

	page_text(to, result_text(of, "quantity"));
	page_say(to, "%s", *class ? ", class " : "");
	page_text(to, class);
}

static void put_verdict(struct page *to, const json_t *v)
{
	json_t *evidence = json_object_get(v, "evidence");

	page_item(to, 2);
	put_quantity(to, v);
	page_say(to, ": ");
	page_verdict(to, "fail", result_text(v, "text"));
	if (*result_text(v, "confidence")) {
		page_say(to, " (");
		page_text(to, result_text(v, "confidence"));
		page_say(to, ", ");
		page_text(to, result_text(v, "persistence"));
		page_say(to, ")");
	}
	if (!json_array_size(evidence))
		return;
	page_say(to, "; evidence: ");
	put_value(to, evidence, "");
}

/* How much slower a host is: "30 %", or of round trips "200 us". */
static void put_slower(struct page *to, double by, bool time)
{
	char text[64];

	if (time)
		page_text(to, format_si(text, sizeof(text), by, "s"));
	else
		page_say(to, "%s %%", plain(100 * fmax(by, 0), 2).s);
}

/* The hosts of what was judged by how much slower they are, the slowest first. *time: by time. */
static json_t *slower_hosts(const json_t *judged, bool *time)
{
	json_t *share = json_object_get(judged, "slower");

	*time = !share;
	return share ? share : json_object_get(judged, "slower_s");
}

/* The first of them, after `before`; nothing of two hosts, which differ from each other alone. */
static void put_slowest(struct page *to, const json_t *judged, const char *before)
{
	const char *host;
	size_t n = 0;
	json_t *by;
	bool time;
	json_t *hosts = slower_hosts(judged, &time);

	if (json_object_size(hosts) <= 2)
		return;
	page_say(to, "%sslowest hosts: ", before);
	json_object_foreach(hosts, host, by) {
		if (n++ == NAMED)
			break;
		page_say(to, "%s", n > 1 ? ", " : "");
		page_text(to, host);
		page_say(to, " ");
		put_slower(to, json_number_value(by), time);
	}
}

/* What was found of a quantity, besides the verdicts. */
static void put_judged(struct page *to, const json_t *summary, const json_t *judged)
{
	const char *why = result_text(judged, "no_verdict");
	double least = result_number(judged, "least_effect");
	char text[RESULT_LEAST];

	page_item(to, 2);
	put_quantity(to, judged);
	page_say(to, ": ");
	if (*why) {
		page_verdict(to, "unclear", "no verdict");
		page_say(to, ": ");
		page_text(to, why);
	} else if (result_has_verdict(summary, judged)) {
		page_say(to, "no other host or pair is named");
	} else if (isnan(least)) {
		page_say(to, "no host or pair is named");
	} else {
		page_text(to, result_least(text, least,
					   result_number(judged, "least_pair_effect")));
	}
	put_slowest(to, judged, "; ");
}

static void put_overview(struct page *to, const json_t *summary, const char *name, const char *unit,
			 const char *words, enum rate_unit rates)
{
	static const char *const parts[] = { "median", "p25", "p75", "slowest" };
	const char *suffix = strcmp(unit, "s") ? "Bps" : "s";
	char text[4][64], key[64];
	json_t *pair, *missing;

	for (size_t i = 0; i < LENGTH(parts); i++) {
		double value;

		snprintf(key, sizeof(key), "%s_%s_%s", name, parts[i], suffix);
		value = result_number(summary, key);
		if (isnan(value))
			return;
		format_rate(text[i], sizeof(text[i]), value, unit, rates);
	}
	page_item_say(to, 2, "%s: median ", words);
	page_strong(to, text[0]);
	page_say(to, ", half of the pairs %s to %s, the slowest %s", text[1], text[2], text[3]);
	snprintf(key, sizeof(key), "%s_slowest_pair", name);
	pair = json_object_get(summary, key);
	if (json_array_size(pair) == 2) {
		page_say(to, ", from ");
		put_value(to, json_array_get(pair, 0), "");
		page_say(to, " to ");
		put_value(to, json_array_get(pair, 1), "");
	}
	snprintf(key, sizeof(key), "%s_missing_pairs", name);
	missing = json_object_get(summary, key);
	if (json_number_value(missing) > 0)
		page_say(to, "; %.0f ordered pairs have no value", json_number_value(missing));
}

void report_map_summary(struct page *to, const json_t *doc, enum rate_unit rates)
{
	const json_t *summary = document_summary(doc);
	size_t i;
	json_t *v;

	put_value(to, json_object_get(summary, "hosts"), "");
	page_say(to, " hosts");
	json_array_foreach(json_object_get(summary, "verdicts"), i, v)
		put_verdict(to, v);
	json_array_foreach(json_object_get(summary, "judged"), i, v)
		put_judged(to, summary, v);
	put_overview(to, summary, "bandwidth", "B/s", "bandwidth", rates);
	put_overview(to, summary, "half_rtt", "s", "half round trip", rates);
}

/* ---- the tables ---- */

void report_map_hosts(struct page *to, const json_t *doc)
{
	const json_t *judged = result_at(doc, "summary.judged");
	const char *host;
	json_t *one, *by;
	size_t i;

	for (i = 0; i < json_array_size(judged); i++) {
		bool time;
		json_t *hosts = slower_hosts(one = json_array_get(judged, i), &time);
		size_t n = 0;

		if (!json_object_size(hosts))
			continue;
		page_paragraph_say(to, "How much slower hosts are than the median of all, ");
		put_quantity(to, one);
		page_say(to, "%s:", json_object_size(hosts) > LISTED ? ", the slowest" : "");
		page_table(to);
		page_column(to, false, "host");
		page_column(to, true, "slower by");
		json_object_foreach(hosts, host, by) {
			if (n++ == LISTED)
				break;
			page_row(to);
			page_cell(to);
			page_text(to, host);
			page_number(to, json_number_value(by));
			put_slower(to, json_number_value(by), time);
		}
	}
}

/* A pair that failed is slower than all; NaN: one that was not measured. */
static double slowness(const json_t *row)
{
	double rate = row_number(row, COL_BANDWIDTH), time = row_number(row, COL_HALF_RTT);
	const char *note = row_text(row, COL_NOTE);

	if (isnan(rate) && isnan(time))
		return *note && strcmp(note, "not measured") != 0 ? INFINITY : NAN;
	return isnan(rate) ? time : 1 / rate;
}

bool report_map_takes(const json_t *row, const void *least)
{
	return !(*(const double *)least > 0) || slowness(row) >= *(const double *)least;
}

double report_map_least(struct page *to, const json_t *doc)
{
	const json_t *rows = document_rows(doc);
	size_t i, n = 0, all = json_array_size(rows);
	double *slow, least;
	json_t *row;

	if (all <= PAIRS_MOST)
		return 0;
	slow = malloc(all * sizeof(*slow));
	json_array_foreach(rows, i, row)
		if (slow && !isnan(slowness(row)))
			slow[n++] = slowness(row);
	least = n > PAIRS_SHOWN ? select_double(slow, n, n - PAIRS_SHOWN) : DBL_MIN;
	free(slow);
	page_paragraph_say(to, "The table has the slowest of %zu ordered pairs; the file has all.",
			       all);
	return least;
}
