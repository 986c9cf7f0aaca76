/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of compare: ratios of B to A, with a line at 1, the limits of --fail-if shaded, and marks
 * by verdict.
 */
#include "show/chart/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/lines.h"
#include "show/chart/words.h"

/* In the order of their looks. */
static const char *const verdicts[] = { "slower", "faster", "no difference seen", "" };

bool ratios_are_drawn(const struct picture *pic)
{
	return pic->y.column && !strcmp(pic->y.column, "ratio") &&
	       !strcmp(document_command(pic->runs[0].doc), "compare");
}

/* ---- marks ---- */

void ratios_look(struct picture *pic)
{
	size_t nkeys = 0;

	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i], *first = pic->traces;	/* of its keys */

		while (first->nkeys != s->nkeys || strncmp(first->label, s->label, s->nkeys) != 0)
			first++;
		s->look = first == s ? nkeys++ : first->look;
		s->shape = 0;
		while (s->shape + 1 < LENGTH(verdicts) && strcmp(verdicts[s->shape], s->verdict))
			s->shape++;
		s->shape++;
	}
	for (size_t i = 0; i < pic->ntraces && nkeys == 1; i++)
		pic->traces[i].hue = pic->traces[i].shape;
}

/* ---- limits ---- */

/* True if more is better of what was compared. */
static bool is_of_rates(const json_t *doc)
{
	static const char value[] = "value_a_";
	json_t *c;
	size_t i;

	json_array_foreach(document_columns(doc), i, c)
		if (!strncmp(result_text(c, "name"), value, strlen(value)))
			return unit_is_rate(result_text(c, "unit"));
	return false;
}

/* The factor of "slower:5%" or "slower:1.05" in a list; NaN if it has none. */
static double factor_of(const char *list, const char *verdict)
{
	const char *at = strstr(list, verdict);
	char *end;
	double factor;

	if (!at || at[strlen(verdict)] != ':')
		return NAN;
	factor = strtod(at + strlen(verdict) + 1, &end);
	if (*end == '%')
		factor = 1 + factor / 100;
	return factor >= 1 && isfinite(factor) ? factor : NAN;
}

double ratios_limit(const struct picture *pic, bool above)
{
	const json_t *doc = pic->runs[0].doc;
	const char *list = result_text(document_options(doc), "fail-if");
	double factor = factor_of(list, above == is_of_rates(doc) ? "faster" : "slower");

	return above ? factor : 1 / factor;
}

void ratios_shade(const struct picture *pic, struct chart_panel *panel)
{
	for (int above = 0; above < 2; above++) {
		double at = ratios_limit(pic, above);

		if (!isnan(at) && !axis_excludes(&pic->y, at))
			panel->bands[panel->nbands++] = (struct band){ at, above };
	}
}

void ratios_caption(struct picture *pic)
{
	const char *list = result_text(document_options(pic->runs[0].doc), "fail-if");

	if (*list)
		lines_add(&pic->caption, LINE_PLAIN, "%s '--fail-if %s' fails",
			 pic->ask->text ? "lines beside that at 1: from where on" : "shaded: where",
			 list);
}

/* ---- words ---- */

/* "half round trip": the quantity that was compared */
static void name_measure(char *buf, size_t len, const json_t *doc)
{
	words_of(buf, len, result_text(doc, "summary.measure"));
}

/* The file of B; "" if there are several. */
static const char *file_of_b(const json_t *doc)
{
	return result_text(doc, "environment.b.file");
}

/* True if all files compare the same two results. */
static bool is_of_two(const struct picture *pic)
{
	return pic->nruns == 1 && *file_of_b(pic->runs[0].doc);
}

void ratios_name(char *buf, size_t len, const struct picture *pic)
{
	const json_t *doc = pic->runs[0].doc;
	char measure[128];

	name_measure(measure, sizeof(measure), doc);
	if (is_of_two(pic))
		snprintf(buf, len, "%s, %s / %s", measure, file_of_b(doc),
			 result_text(doc, "environment.a.file"));
	else
		snprintf(buf, len, "%s, B / A", measure);
}

void ratios_head(struct text_lines *to, const struct picture *pic)
{
	const json_t *doc = pic->runs[0].doc;
	char measure[128], x[128];

	name_measure(measure, sizeof(measure), doc);
	lines_add(to, LINE_HEAD, "%s of %s against %s over %s", measure,
		 is_of_two(pic) ? file_of_b(doc) : "several results",
		 pic->nruns == 1 ? result_text(doc, "environment.a.file") : "others",
		 words_of(x, sizeof(x), pic->x.column));
}

void ratios_add_compared(struct text *to, const json_t *doc)
{
	text_add(to, "of %s, %s", result_text(doc, "environment.command"),
		 result_text(doc, "environment.definition"));
	for (size_t i = 0; i < 2; i++) {
		const json_t *side = result_at(doc, i ? "environment.b" : "environment.a");

		if (*result_text(side, "file"))
			text_add(to, ", %c %s of %s", 'A' + (int)i, result_text(side, "file"),
				 result_text(side, "start"));
	}
}
