/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of compare: ratios of B to A, with a line at 1, the limits of --fail-if shaded, and marks
 * by verdict.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
#include "base/values.h"
#include "cmd/plot.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/reader.h"

/* Colours also the colour-blind can tell apart. */
static const struct {
	const char *verdict, *colour;
	int mark;
} looks[] = {
	{ "slower", "#D55E00", 11 }, { "faster", "#009E73", 9 },
	{ "no difference seen", "#56606A", 7 }, { "", "#909090", 6 },
};

bool plot_is_ratio(const struct picture *pic)
{
	return pic->y.column && !strcmp(pic->y.column, "ratio") &&
	       !strcmp(document_command(pic->runs[0].doc), "compare");
}

/* ---- marks ---- */

static bool differ_in_verdict(const struct trace *s, const struct trace *t)
{
	return s->nkeys == t->nkeys && !strncmp(s->label, t->label, s->nkeys);
}

/* The first series of the same keys. */
static size_t first_of(const struct picture *pic, size_t trace)
{
	size_t i = 0;

	while (!differ_in_verdict(&pic->traces[i], &pic->traces[trace]))
		i++;
	return i;
}

size_t plot_key_number(const struct picture *pic, size_t trace)
{
	size_t first = first_of(pic, trace), n = 0;

	for (size_t i = 0; i < first; i++)
		n += first_of(pic, i) == i;
	return n;
}

const char *plot_verdict_colour(const struct picture *pic, size_t trace)
{
	for (size_t i = 0; i < pic->ntraces; i++)
		if (first_of(pic, i))
			return NULL;
	for (size_t i = 0; i < LENGTH(looks); i++)
		if (!strcmp(looks[i].verdict, pic->traces[trace].verdict))
			return looks[i].colour;
	return NULL;
}

int plot_verdict_mark(const struct trace *s)
{
	for (size_t i = 0; i < LENGTH(looks); i++)
		if (!strcmp(looks[i].verdict, s->verdict))
			return looks[i].mark;
	return 0;
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

double plot_limit(const struct picture *pic, bool above)
{
	const json_t *doc = pic->runs[0].doc;
	const char *list = result_text(document_options(doc), "fail-if");
	double factor = factor_of(list, above == is_of_rates(doc) ? "faster" : "slower");

	return above ? factor : 1 / factor;
}

void plot_put_limits(FILE *to, const struct picture *pic, const struct canvas *c)
{
	for (int above = 0; above < 2; above++) {
		double at = plot_limit(pic, above);

		if (isnan(at) || plot_is_outside(&pic->y, at))
			continue;
		if (c->text)
			fprintf(to, "set arrow from graph 0, first %.9g to graph 1, first %.9g "
				"nohead\n", at, at);
		else
			fprintf(to, "set object rectangle from graph 0, first %.9g to graph 1, "
				"graph %d behind fillcolor rgb '#D55E00' "
				"fillstyle transparent solid 0.12 noborder\n", at, above);
	}
	if (!plot_is_outside(&pic->y, 1))
		fprintf(to, "set arrow from graph 0, first 1 to graph 1, first 1 nohead%s\n",
			c->text ? "" : " back linewidth 1.6 linecolor rgb '#404040'");
}

void plot_add_limits(struct picture *pic, const struct canvas *c)
{
	const char *list = result_text(document_options(pic->runs[0].doc), "fail-if");

	if (*list)
		plot_add(&pic->caption, LINE_PLAIN, "%s '--fail-if %s' fails",
			 c->text ? "lines beside that at 1: from where on" : "shaded: where",
			 list);
}

/* ---- words ---- */

/* "half round trip": the quantity that was compared */
static void name_measure(char *buf, size_t len, const json_t *doc)
{
	plot_words(buf, len, result_text(doc, "summary.measure"));
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

void plot_name_ratio(char *buf, size_t len, const struct picture *pic)
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

void plot_add_ratio_head(struct picture *pic)
{
	const json_t *doc = pic->runs[0].doc;
	char measure[128], x[128];

	name_measure(measure, sizeof(measure), doc);
	plot_add(&pic->title, LINE_HEAD, "%s of %s against %s over %s", measure,
		 is_of_two(pic) ? file_of_b(doc) : "several results",
		 pic->nruns == 1 ? result_text(doc, "environment.a.file") : "others",
		 plot_words(x, sizeof(x), pic->x.column));
}

void plot_put_compared(FILE *to, const json_t *doc)
{
	fprintf(to, "of %s, %s", result_text(doc, "environment.command"),
		result_text(doc, "environment.definition"));
	for (size_t i = 0; i < 2; i++) {
		const json_t *side = result_at(doc, i ? "environment.b" : "environment.a");

		if (*result_text(side, "file"))
			fprintf(to, ", %c %s of %s", 'A' + (int)i, result_text(side, "file"),
				result_text(side, "start"));
	}
}
