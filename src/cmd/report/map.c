/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections on results of map: the verdicts, the slowest hosts, and the pairs (only the slowest if
 * there are many).
 */
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

/*
 * The summary shows the NAMED slowest hosts, the table the LISTED slowest. The table of pairs shows
 * all pairs up to PAIRS_MOST; if there are more, it shows the PAIRS_SHOWN slowest.
 */
#define NAMED 5
#define LISTED 20
#define PAIRS_MOST 1000
#define PAIRS_SHOWN 100

bool report_is_map(const json_t *doc)
{
	return !strcmp(document_command(doc), "map");
}

/* ---- the summary ---- */

/* Formats how much slower a host is: "30 %", or for round trips "200 us". Returns buf. */
static char *format_slowdown(char *buf, size_t len, double by, bool time)
{
	if (time)
		return format_si(buf, len, by, "s");
	snprintf(buf, len, "%s %%", plain(100 * fmax(by, 0), 2).s);
	return buf;
}

/*
 * Returns the hosts and how much slower each is, the slowest first. Sets *time if the values are
 * seconds; else they are shares. Borrowed reference.
 */
static json_t *slower_hosts(const json_t *judged, bool *time)
{
	json_t *share = json_object_get(judged, "slower");

	*time = !share;
	return share ? share : json_object_get(judged, "slower_s");
}

/* Writes a finding about a quantity without verdicts, and the slowest hosts. */
static void put_quantity_finding(struct page *to, const json_t *summary, const json_t *judged)
{
	const char *why = result_text(judged, "no_verdict"), *host;
	struct text least = least_effects(result_number(judged, "least_effect"),
					  result_number(judged, "least_pair_effect"));
	char text[64];
	size_t n = 0;
	json_t *by;
	bool time;
	json_t *hosts = slower_hosts(judged, &time);

	page_item_say(to, 2, "%s: ", judged_quantity(judged).s);
	if (*why) {
		page_verdict(to, "unclear", "no verdict");
		page_say(to, ": %s", why);
	} else if (result_has_verdict(summary, judged)) {
		page_say(to, "no other host or pair is named");
	} else {
		page_text(to, least.n ? least.s : "no host or pair is named");
	}
	if (json_object_size(hosts) <= 2)
		return;			/* two hosts can only be compared with each other */
	json_object_foreach(hosts, host, by) {
		if (n == NAMED)
			break;
		page_say(to, "%s%s %s", n++ ? ", " : "; slowest hosts: ", host,
			 format_slowdown(text, sizeof(text), json_number_value(by), time));
	}
}

/*
 * Returns a member of the summary. The member's name is `fmt`, filled in with the quantity's name.
 */
static const json_t *summary_member(const json_t *summary, const char *fmt, const char *name)
{
	char key[64];

	snprintf(key, sizeof(key), fmt, name);
	return json_object_get(summary, key);
}

static void put_overview(struct page *to, const json_t *summary, const char *name, const char *unit,
			 const char *words, enum rate_unit rates)
{
	static const char *const parts[] = { "median", "p25", "p75", "slowest" };
	const json_t *pair = summary_member(summary, "%s_slowest_pair", name);
	double missing = json_number_value(summary_member(summary, "%s_missing_pairs", name));
	char text[4][64], key[64];

	for (size_t i = 0; i < LENGTH(parts); i++) {
		double value;

		snprintf(key, sizeof(key), "%s_%s_%s", name, parts[i],
			 strcmp(unit, "s") ? "Bps" : "s");
		value = result_number(summary, key);
		if (isnan(value))
			return;
		format_rate(text[i], sizeof(text[i]), value, unit, rates);
	}
	page_item_say(to, 2, "%s: median **%s**, half of the pairs %s to %s, the slowest %s", words,
		      text[0], text[1], text[2], text[3]);
	if (json_array_size(pair) == 2)
		page_say(to, ", from %s to %s", value_text(to, json_array_get(pair, 0), ""),
			 value_text(to, json_array_get(pair, 1), ""));
	if (missing > 0)
		page_say(to, "; %.0f ordered pairs have no value", missing);
}

void report_map_summary(struct page *to, const json_t *doc, enum rate_unit rates)
{
	const json_t *summary = document_summary(doc);
	size_t i;
	json_t *v, *evidence;

	page_say(to, "%s hosts", value_text(to, json_object_get(summary, "hosts"), ""));
	json_array_foreach(json_object_get(summary, "verdicts"), i, v) {
		page_item_say(to, 2, "%s: ", judged_quantity(v).s);
		page_verdict(to, "fail", result_text(v, "text"));
		if (*result_text(v, "confidence"))
			page_say(to, " (%s, %s)", result_text(v, "confidence"),
				 result_text(v, "persistence"));
		evidence = json_object_get(v, "evidence");
		if (json_array_size(evidence))
			page_say(to, "; evidence: %s", value_text(to, evidence, ""));
	}
	json_array_foreach(json_object_get(summary, "judged"), i, v)
		put_quantity_finding(to, summary, v);
	put_overview(to, summary, "bandwidth", "B/s", "bandwidth", rates);
	put_overview(to, summary, "half_rtt", "s", "half round trip", rates);
}

/* ---- the tables ---- */

void report_map_hosts(struct page *to, const json_t *doc)
{
	const char *host;
	json_t *judged, *by;
	char text[64];
	size_t i;

	json_array_foreach(result_at(doc, "summary.judged"), i, judged) {
		bool time;
		json_t *hosts = slower_hosts(judged, &time);
		size_t n = 0;

		if (!json_object_size(hosts))
			continue;
		page_paragraph_say(to, "How much slower hosts are than the median of all, %s%s:",
				   judged_quantity(judged).s,
				   json_object_size(hosts) > LISTED ? ", the slowest" : "");
		page_table(to);
		page_column(to, false, "host");
		page_column(to, true, "slower by");
		json_object_foreach(hosts, host, by) {
			double value = json_number_value(by);

			if (n++ == LISTED)
				break;
			page_row(to);
			page_cell_say(to, "%s", host);
			page_number_say(to, value, "%s",
					format_slowdown(text, sizeof(text), value, time));
		}
	}
}

/*
 * Returns the time of a pair, s/B or s. Returns infinity if the pair failed, or NaN if the pair was
 * not measured.
 */
static double slowness(const json_t *row)
{
	double rate = row_number(row, COL_BANDWIDTH), time = row_number(row, COL_HALF_RTT_EPOCH);
	const char *note = row_text(row, COL_NOTE);

	if (isnan(rate) && isnan(time))
		return *note && strcmp(note, "not measured") != 0 ? INFINITY : NAN;
	return isnan(rate) ? time : 1 / rate;
}

json_t *report_map_pairs(struct page *to, const json_t *doc)
{
	json_t *rows = document_rows(doc), *slowest, *row;
	size_t i, n = 0, all = json_array_size(rows);
	double *slow, least;

	if (all <= PAIRS_MOST)
		return json_incref(rows);
	slow = memory_new(all, sizeof(*slow));
	json_array_foreach(rows, i, row)
		if (!isnan(slowness(row)))
			slow[n++] = slowness(row);
	least = n > PAIRS_SHOWN ? select_double(slow, n, n - PAIRS_SHOWN) : DBL_MIN;
	free(slow);
	slowest = json_array();
	json_array_foreach(rows, i, row)
		if (slowness(row) >= least)
			json_array_append(slowest, row);
	page_paragraph_say(to, "The table has the slowest of %zu ordered pairs; the file has all.",
			   all);
	return slowest;
}
