/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/heat/words.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/caption.h"
#include "show/chart/lines.h"
#include "show/chart/words.h"

/* The largest number of verdicts that a caption repeats. Further verdicts are only counted. */
#define VERDICTS_MOST 8

struct text heat_column_words(const char *column)
{
	/* a map has values of single round trips, not means of many */
	return words_of(strcmp(column, "half_rtt_epoch_s") ? column : "half_rtt_p50_s");
}

/* ---- the text above ---- */

struct text heat_heading(const struct picture *pic)
{
	const struct heat *h = pic->heat;
	struct text to = { .n = 0 };

	for (size_t i = 0; i < h->nmaps; i++)
		text_add(&to, "%s%s", i ? " and " : "", heat_column_words(h->map[i].column).s);
	text_add(&to, " of all pairs of %zu hosts", h->n);
	return to;
}

void heat_add_title(struct text_lines *to, const struct picture *pic)
{
	const struct heat *h = pic->heat;

	if (pic->ask->labelled)
		lines_add(to, LINE_PLAIN, "%s", pic->runs[0].label);
	if (h->per == 1)
		return;
	lines_add(to, LINE_PLAIN, "a cell is a tile: the %s of the pairs of %zu hosts "
		 "with %zu, named after the first host",
		 pic->ask->tile == TILE_MEDIAN ? "median"
		 : *h->map[0].scale.unit ? "slowest" : "least",
		 h->per, h->per);
}

/* ---- the verdicts ---- */

/*
 * Returns the text with which a line about a quantity begins: "bandwidth: " if several quantities
 * were judged, else "".
 */
static struct text quantity_prefix(const json_t *summary, const json_t *of)
{
	if (json_array_size(json_object_get(summary, "judged")) < 2)
		return (struct text){ .n = 0 };
	return text_from("%s: ", judged_quantity(of).s);
}

/*
 * Adds the verdicts. For a judged quantity without a verdict, adds the smallest effect that would
 * have been seen, or the reason why there is no verdict.
 */
static void add_verdicts(struct picture *pic)
{
	const json_t *summary = document_summary(pic->runs[0].doc), *v;
	const json_t *verdicts = json_object_get(summary, "verdicts");
	size_t i, n = json_array_size(verdicts);

	json_array_foreach(verdicts, i, v)
		if (i < VERDICTS_MOST)
			WARN(pic, "%s%s", quantity_prefix(summary, v).s, result_text(v, "text"));
	if (n > VERDICTS_MOST)
		WARN(pic, "and %zu more verdicts", n - VERDICTS_MOST);
	json_array_foreach(json_object_get(summary, "judged"), i, v) {
		const char *why = result_text(v, "no_verdict");
		struct text least = least_effects(result_number(v, "least_effect"),
						  result_number(v, "least_pair_effect"));

		if (*why)
			WARN(pic, "%sno verdict: %s", quantity_prefix(summary, v).s, why);
		else if (least.n && !result_has_verdict(summary, v))
			SAY(pic, "%s%s", quantity_prefix(summary, v).s, least.s);
	}
}

/* ---- how to read it ---- */

/* Numbers of pairs without a value: of pairs that failed, and of pairs that were not measured. */
struct missing {
	size_t failed, unmeasured;
};

static struct missing count_missing(const struct heat *h, const struct heat_map *m)
{
	struct missing n = { .failed = 0 };

	for (size_t i = 0; i < h->n * h->n; i++)
		if (isnan(m->y[i]) && i / h->n != i % h->n)
			*(h->failed[i] ? &n.failed : &n.unmeasured) += 1;
	return n;
}

/*
 * Adds the numbers of missing pairs of each map. If both maps have the same numbers, adds the
 * numbers once.
 */
static void add_missing(struct picture *pic)
{
	const struct heat *h = pic->heat;
	struct missing first = count_missing(h, &h->map[0]), last;
	size_t nmaps = h->nmaps;

	last = count_missing(h, &h->map[nmaps - 1]);
	if (first.failed == last.failed && first.unmeasured == last.unmeasured)
		nmaps = 1;	/* these are most likely the same pairs */
	for (size_t i = 0; i < nmaps; i++) {
		struct missing n = i ? last : first;
		size_t outside = h->map[i].noutside;
		struct text of = { .n = 0 };

		if (nmaps > 1)
			of = text_from("%s: ", heat_column_words(h->map[i].column).s);
		if (n.failed)
			WARN(pic, "%s%zu pair%s failed: %s", of.s, n.failed,
			     n.failed == 1 ? "" : "s", pic->ask->text ? "X" : "red crosses");
		if (n.unmeasured)
			SAY(pic, "%s%zu pair%s not measured: %s", of.s, n.unmeasured,
			    n.unmeasured == 1 ? " was" : "s were", pic->ask->text ? "_" : "grey");
		if (outside)
			SAY(pic, "%s%zu cell%s beyond the scale and drawn like its end", of.s,
			    outside, outside == 1 ? " is" : "s are");
	}
}

void heat_write_caption(struct picture *pic)
{
	static const char *const orders[] = {
		[ORDER_NAME] = "by name",
		[ORDER_EFFECT] = "the slowest first",
		[ORDER_CLUSTER] = "by similarity",
	};
	const struct heat *h = pic->heat;
	bool both = h->nmaps > 1, by = pic->ask->order != ORDER_NAME && both;

	add_verdicts(pic);
	SAY(pic, "rows send, columns receive; hosts %s%s%s; %s is %s", orders[pic->ask->order],
	    by ? ", by " : "", by ? heat_column_words(h->map[0].column).s : "",
	    pic->ask->text ? "@" : "dark", *h->map[0].scale.unit ? "slow" : "low");
	if (*h->domain)
		SAY(pic, "names of hosts end in %s", h->domain);
	add_missing(pic);
	caption_add_conditions(pic);
	SAY(pic, "column%s %s%s%s", both ? "s" : "", h->map[0].column, both ? " and " : "",
	    both ? h->map[1].column : "");
	caption_add_warnings(pic);
}
