/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws results of compare: ratios of B to A, with a line at 1. The mark of a point shows its
 * verdict. Ratios beyond the limits of --fail-if are shaded.
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

/* Verdicts in the order of the marks in gnuplot/panel.c. */
static const char *const verdicts[] = { "slower", "faster", "no difference seen", "", "same" };
enum { SAME = 4, NO_DIFFERENCE_SEEN = 2 };	/* these two verdicts have the same mark */

bool ratios_are_drawn(const struct picture *pic)
{
	return pic->y.column && !strcmp(pic->y.column, "ratio") &&
	       result_is_comparison(pic->runs[0].doc);
}

/* ---- marks ---- */

void ratios_choose_looks(struct picture *pic)
{
	size_t nkeys = 0;

	for (size_t i = 0; i < pic->ntraces; i++) {
		/* the loop sets `first` to the first series that has the same keys as s */
		struct trace *s = &pic->traces[i], *first = pic->traces;

		while (first->nkeys != s->nkeys ||
		       strncmp(first->label.s, s->label.s, s->nkeys) != 0)
			first++;
		s->look = first == s ? nkeys++ : first->look;
		s->shape = 0;
		while (s->shape + 1 < LENGTH(verdicts) && strcmp(verdicts[s->shape], s->verdict))
			s->shape++;
		s->shape = (s->shape == SAME ? NO_DIFFERENCE_SEEN : s->shape) + 1;
	}
	for (size_t i = 0; i < pic->ntraces && nkeys == 1; i++)
		pic->traces[i].hue = pic->traces[i].shape;
}

/* ---- limits ---- */

double ratios_fail_limit(const struct picture *pic, bool above)
{
	static const char value[] = "value_a_";
	const json_t *doc = pic->runs[0].doc, *c;
	const char *unit = "", *verdict, *at;
	char *end;
	double factor;
	size_t i;

	json_array_foreach(document_columns(doc), i, c)
		if (!*unit && !strncmp(result_text(c, "name"), value, strlen(value)))
			unit = result_text(c, "unit");
	/*
	 * A higher ratio means faster for rates, slower for times. The option's value is like
	 * "slower:5%" or "slower:1.05".
	 */
	verdict = above == unit_is_rate(unit) ? "faster" : "slower";
	at = strstr(result_text(document_options(doc), "fail-if"), verdict);
	if (!at || at[strlen(verdict)] != ':')
		return NAN;
	factor = strtod(at + strlen(verdict) + 1, &end);
	if (*end == '%')
		factor = 1 + factor / 100;
	if (!(factor >= 1 && isfinite(factor)))
		return NAN;
	return above ? factor : 1 / factor;
}

void ratios_shade_limits(const struct picture *pic, struct chart_panel *panel)
{
	for (int above = 0; above < 2; above++) {
		double at = ratios_fail_limit(pic, above);

		if (!isnan(at) && !axis_excludes(&pic->y, at))
			panel->bands[panel->nbands++] = (struct band){ at, above };
	}
}

void ratios_add_caption(struct picture *pic)
{
	const char *list = result_text(document_options(pic->runs[0].doc), "fail-if");

	if (*list)
		lines_add(&pic->caption, LINE_PLAIN, "%s '--fail-if %s' fails",
			 pic->ask->text ? "beyond the lines except that at 1"
					: "in the shaded range",
			 list);
}

/* ---- words ---- */

/* Returns the compared quantity in words: "half round trip". */
static struct text measure_words(const json_t *doc)
{
	return words_of(result_text(doc, "summary.measure"));
}

/*
 * Returns the name of A if `first`, else the name of B. The name is a file's name or the label of a
 * command line. Returns "" if there are several files or command lines.
 */
static const char *compared_name(const json_t *doc, bool first)
{
	const json_t *side = result_at(doc, first ? "environment.a" : "environment.b");
	const char *file = result_text(side, "file");

	return *file ? file : result_text(side, "label");
}

/* Returns the name of B if the picture shows a single comparison, else "". */
static const char *single_b_name(const struct picture *pic)
{
	return pic->nruns == 1 ? compared_name(pic->runs[0].doc, false) : "";
}

struct text ratios_axis_name(const struct picture *pic)
{
	const json_t *doc = pic->runs[0].doc;

	if (*single_b_name(pic))
		return text_from("%s, %s / %s", measure_words(doc).s, single_b_name(pic),
			       compared_name(doc, true));
	return text_from("%s, B / A", measure_words(doc).s);
}

void ratios_add_heading(struct text_lines *to, const struct picture *pic)
{
	const json_t *doc = pic->runs[0].doc;

	lines_add(to, LINE_HEAD, "%s of %s against %s over %s", measure_words(doc).s,
		  *single_b_name(pic) ? single_b_name(pic) : "several results",
		  pic->nruns == 1 ? compared_name(doc, true) : "others",
		  pic->x.words.s);
}

void ratios_add_compared(struct text *to, const json_t *doc)
{
	text_add(to, "of %s, %s", result_text(doc, "environment.command"),
		 result_text(doc, "environment.definition"));
	for (size_t i = 0; i < 2; i++) {
		const json_t *side = result_at(doc, i ? "environment.b" : "environment.a");

		if (*compared_name(doc, !i))
			text_add(to, ", %c %s of %s", 'A' + (int)i, compared_name(doc, !i),
				 result_text(side, "start"));
	}
}
