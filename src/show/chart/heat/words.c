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

/* Verdicts that are shown; the others are counted. */
#define VERDICTS_MOST 8

#define SAY(pic, ...) lines_add(&(pic)->caption, LINE_PLAIN, __VA_ARGS__)
#define WARN(pic, ...) lines_add(&(pic)->caption, LINE_ALARM, __VA_ARGS__)

char *heat_words(char *buf, size_t len, const char *column)
{
	if (strcmp(column, "half_rtt_s") != 0)
		return words_of(buf, len, column);
	snprintf(buf, len, "half round trip");
	return buf;
}

/* ---- above ---- */

void heat_head(char *buf, size_t len, const struct picture *pic)
{
	const struct heat *h = pic->heat;
	char words[128];

	snprintf(buf, len, "%s", heat_words(words, sizeof(words), h->map[0].column));
	for (size_t i = 1; i < h->nmaps; i++)
		snprintf(buf + strlen(buf), len - strlen(buf), " and %s",
			 heat_words(words, sizeof(words), h->map[i].column));
	snprintf(buf + strlen(buf), len - strlen(buf), " of all pairs of %zu hosts", h->n);
}

void heat_title(struct text_lines *to, const struct picture *pic)
{
	const struct heat *h = pic->heat;

	if (pic->ask->labelled)
		lines_add(to, LINE_PLAIN, "%s", pic->runs[0].label);
	if (h->per == 1)
		return;
	lines_add(to, LINE_PLAIN, "a cell is a tile: the %s of the pairs of %zu hosts "
		 "with %zu, called by the first of them",
		 pic->ask->tile == TILE_MEDIAN ? "median"
		 : *h->map[0].scale.unit ? "slowest" : "least",
		 h->per, h->per);
}

/* ---- the verdicts ---- */

/* "bandwidth: ", if several were judged. */
static const char *quantity_of(const json_t *summary, const json_t *of, char *buf, size_t len)
{
	const json_t *judged = json_object_get(summary, "judged");
	const char *class = result_text(of, "class");

	if (json_array_size(judged) > 1)
		snprintf(buf, len, "%s%s%s: ", result_text(of, "quantity"),
			 *class ? ", class " : "", class);
	else
		*buf = '\0';
	return buf;
}

/* What was judged without a verdict on a host or pair: healthy, or not to be told. */
static void add_judged(struct picture *pic, const json_t *summary, const json_t *judged)
{
	const char *why = result_text(judged, "no_verdict");
	double least = result_number(judged, "least_effect");
	char of[128], text[RESULT_LEAST];

	quantity_of(summary, judged, of, sizeof(of));
	if (*why)
		WARN(pic, "%sno verdict: %s", of, why);
	else if (!isnan(least) && !result_has_verdict(summary, judged))
		SAY(pic, "%s%s", of,
		    result_least(text, least, result_number(judged, "least_pair_effect")));
}

static void add_verdicts(struct picture *pic)
{
	const json_t *summary = document_summary(pic->runs[0].doc);
	const json_t *verdicts = json_object_get(summary, "verdicts");
	size_t i, n = json_array_size(verdicts);
	char of[128];
	json_t *v;

	json_array_foreach(verdicts, i, v)
		if (i < VERDICTS_MOST)
			WARN(pic, "%s%s", quantity_of(summary, v, of, sizeof(of)),
			     result_text(v, "text"));
	if (n > VERDICTS_MOST)
		WARN(pic, "and %zu more verdicts", n - VERDICTS_MOST);
	json_array_foreach(json_object_get(summary, "judged"), i, v)
		add_judged(pic, summary, v);
}

/* ---- how it is to be read ---- */

static void add_reading(struct picture *pic)
{
	static const char *const orders[] = {
		[ORDER_NAME] = "by name",
		[ORDER_EFFECT] = "the slowest first",
		[ORDER_CLUSTER] = "those alike side by side",
	};
	const struct heat_map *m = &pic->heat->map[0];
	char by[160] = "", words[128];

	if (pic->ask->order != ORDER_NAME && pic->heat->nmaps > 1)
		snprintf(by, sizeof(by), ", by %s", heat_words(words, sizeof(words), m->column));
	SAY(pic, "rows send, columns receive; hosts %s%s; %s is %s", orders[pic->ask->order], by,
	    pic->ask->text ? "@" : "dark", *m->scale.unit ? "slow" : "low");
}

/* Pairs without a value, of which some failed. */
static void count_missing(const struct heat *h, const struct heat_map *m, size_t *n, size_t *failed)
{
	*n = h->n * (h->n - 1) - m->nvalues;
	*failed = 0;
	for (size_t i = 0; i < h->n * h->n; i++)
		*failed += h->failed[i] && isnan(m->y[i]);
}

static void add_missing(struct picture *pic, const struct heat_map *m,
			const char *of)
{
	size_t n, failed;

	count_missing(pic->heat, m, &n, &failed);
	if (failed)
		WARN(pic, "%s%zu pair%s failed: %s", of, failed, failed == 1 ? "" : "s",
		     pic->ask->text ? "X" : "red crosses");
	if (n > failed)
		SAY(pic, "%s%zu pair%s not measured: %s", of, n - failed,
		    n - failed == 1 ? " was" : "s were", pic->ask->text ? "_" : "grey");
	if (m->noutside)
		SAY(pic, "%s%zu cell%s beyond the scale, drawn as its end is", of, m->noutside,
		    m->noutside == 1 ? " is" : "s are");
}

static void add_all_missing(struct picture *pic)
{
	const struct heat *h = pic->heat;
	size_t n[2], failed[2], nmaps = h->nmaps;
	char of[160], words[128];

	count_missing(h, &h->map[0], &n[0], &failed[0]);
	count_missing(h, &h->map[h->nmaps - 1], &n[1], &failed[1]);
	if (n[0] == n[1] && failed[0] == failed[1])	/* the same pairs, in all likelihood */
		nmaps = 1;
	for (size_t i = 0; i < nmaps; i++) {
		snprintf(of, sizeof(of), "%s: ",
			 heat_words(words, sizeof(words), h->map[i].column));
		add_missing(pic, &h->map[i], nmaps > 1 ? of : "");
	}
}

int heat_caption(struct picture *pic)
{
	const struct heat *h = pic->heat;

	add_verdicts(pic);
	add_reading(pic);
	if (*h->domain)
		SAY(pic, "names of hosts end in %s", h->domain);
	add_all_missing(pic);
	caption_selected(pic);
	SAY(pic, "column%s %s%s%s", h->nmaps > 1 ? "s" : "", h->map[0].column,
	    h->nmaps > 1 ? " and " : "", h->nmaps > 1 ? h->map[1].column : "");
	caption_warnings(pic);
	return pic->caption.failed ? ST_FAILED : ST_OK;
}
