/* SPDX-License-Identifier: Apache-2.0 */
/* The caption of a picture, and all its text; quoting and breaking of texts. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
#include "base/error.h"
#include "base/text.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/reader.h"
#include "base/values.h"

/* Warnings that are shown; the others are counted. */
#define WARNINGS_MAX 4

/* An interval of the median needs so many repetitions. */
#define REPETITIONS_LEAST 6

/* Lines of the caption. */
#define SAY(pic, ...) plot_add(&(pic)->caption, LINE_PLAIN, __VA_ARGS__)
#define WARN(pic, ...) plot_add(&(pic)->caption, LINE_ALARM, __VA_ARGS__)

/* Bytes of the UTF-8 character that begins here; 0 if it is malformed or not printable. */
static size_t char_len(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = *s < 0x80 ? 1 : *s < 0xc2 || *s > 0xf4 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	unsigned c = len == 1 ? *s : *s & (0xffu >> (len + 1));

	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < ' ' || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) ||
	    (c & 0xfffe) == 0xfffe || c > 0x10ffff)
		return 0;
	return (len == 3 && c < 0x800) || (len == 4 && c < 0x10000) ? 0 : len;
}

static const char *next_char(const char *text)
{
	size_t len = char_len(text);

	return text + (len ? len : 1);
}

bool plot_is_printable(const char *text)
{
	while (*text && char_len(text))
		text = next_char(text);
	return !*text;
}

size_t plot_width(const char *text)
{
	size_t n = 0;

	for (; *text; text = next_char(text))
		n++;
	return n;
}

void plot_quote(FILE *to, const char *text, size_t width)
{
	size_t n = plot_width(text), most = n <= width ? n : width > 3 ? width - 3 : 0;

	putc('\'', to);
	for (size_t i = 0; i < most; i++) {
		size_t len = char_len(text);

		if (*text == '\'')
			putc('\'', to);
		if (len)
			fwrite(text, 1, len, to);
		else
			putc('?', to);
		text = next_char(text);
	}
	fputs(n > most ? "...'" : "'", to);
}

void plot_push(struct text_lines *lines, char *text, enum line_kind kind)
{
	struct text_line *grown = text && !lines->failed
				  ? list_grow(lines->v, lines->n, sizeof(*grown)) : NULL;

	if (grown) {
		lines->v = grown;
		lines->v[lines->n++] = (struct text_line){ text, kind, false };
		return;
	}
	free(text);
	if (!lines->failed)
		error_report("no memory for a line of text");
	lines->failed = true;
}

void plot_add(struct text_lines *lines, enum line_kind kind, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	plot_push(lines, text, kind);
}

void plot_free_lines(struct text_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		free(lines->v[i].text);
	free(lines->v);
	*lines = (struct text_lines){ 0 };
}

/* The end of a line of at most so many characters: after a word, or within one that is too long. */
static const char *line_end(const char *text, size_t width)
{
	const char *at = text, *word = NULL;

	for (size_t i = 0; i < width && *at; i++) {
		if (*at == ' ' && i)
			word = at;
		at = next_char(at);
	}
	return !*at || *at == ' ' || !word ? at : word;
}

int plot_wrap(struct text_lines *lines, size_t width)
{
	struct text_lines broken = { 0 };

	for (size_t i = 0; i < lines->n; i++) {
		const char *at = lines->v[i].text;

		do {
			const char *end = line_end(at, width);

			plot_push(&broken, strndup(at, (size_t)(end - at)), lines->v[i].kind);
			if (at != lines->v[i].text && !broken.failed)
				broken.v[broken.n - 1].goes_on = true;
			at = end + strspn(end, " ");
		} while (*at);
	}
	plot_free_lines(lines);
	*lines = broken;
	return broken.failed ? ST_FAILED : ST_OK;
}

/* Totals over all measured files. */
struct total {
	size_t measured, computed, points, bars;	/* files; points */
	double reps_min, reps_max;
};

static struct total sum_up(const struct picture *pic)
{
	struct total t = { .reps_min = NAN, .reps_max = NAN };

	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];

		*(run->computed ? &t.computed : &t.measured) += 1;
		if (run->computed)
			continue;
		t.points += run->nrows - run->nmissing;
		t.bars += run->nbars;
		t.reps_min = fmin(t.reps_min, run->reps_min);
		t.reps_max = fmax(t.reps_max, run->reps_max);
	}
	return t;
}

static void add_intervals(struct picture *pic, const struct total *t)
{
	char n[64] = "";
	const char *between = isnan(t->reps_min) ? "" : "; ";
	const char *of = plot_is_ratio(pic) ? "ratio"
			 : strstr(pic->y.column, "_p9") ? "percentile" : "median";

	if (t->reps_min < t->reps_max)
		snprintf(n, sizeof(n), "n = %.0f to %.0f repetitions a point", t->reps_min,
			 t->reps_max);
	else if (!isnan(t->reps_min))
		snprintf(n, sizeof(n), "n = %.0f repetitions a point", t->reps_min);
	if (!t->bars && t->reps_max < REPETITIONS_LEAST)
		SAY(pic, "%s, too few for a 95 %% interval of the %s", n, of);
	else if (!t->bars)
		SAY(pic, "%s%sno 95 %% interval of %s in the results", n, between, pic->y.column);
	else if (t->bars == t->points)
		SAY(pic, "%s%sbars: 95 %% interval of the %s", n, between, of);
	else
		SAY(pic, "%s%sbars: 95 %% interval of the %s, which %zu of %zu points have not%s",
		    n, between, of, t->points - t->bars, t->points,
		    plot_is_ratio(pic) ? ": see 'remark'"
		    : t->reps_min < REPETITIONS_LEAST
			    ? "; it needs 6 repetitions"
			    : ": repetitions depend on one another");
}

/* Boxes are of the same values as the median that is their mark. */
static void add_quantiles(struct picture *pic, const struct canvas *c)
{
	SAY(pic, c->text ? "90th and 99th percentiles are drawn in files only"
			 : "boxes: from the median, the mark, to the 90th percentile, and lighter "
			   "to the 99th");
}

static void add_missing(struct picture *pic, const struct plot_run *run)
{
	if (*run->why)
		WARN(pic, "%s%snot drawn: %s", PLOT_OF(pic, run), run->why);
	else if (run->nmissing && run->missing_empty && !run->note)
		SAY(pic, "%s%snot drawn: messages of 0 B, which have no %s",
		    PLOT_OF(pic, run), run->y);
	else if (run->nmissing)
		WARN(pic, "%s%snot drawn: %zu of %zu rows, without %s or %s%s%s%s",
		     PLOT_OF(pic, run), run->nmissing, run->nrows, run->y, pic->x.column,
		     run->note ? " (" : "", run->note ? run->note : "", run->note ? ")" : "");
}

/* Adds the first WARNINGS_MAX warnings of all runs, and counts the others. */
void plot_add_warnings(struct picture *pic)
{
	size_t i, n = 0;
	json_t *text;

	for (size_t k = 0; k < pic->nruns; k++)
		json_array_foreach(document_warnings(pic->runs[k].doc), i, text)
			if (json_is_string(text) && n++ < WARNINGS_MAX)
				WARN(pic, "%s%swarning: %s", PLOT_OF(pic, &pic->runs[k]),
				     json_string_value(text));
	if (n > WARNINGS_MAX)
		WARN(pic, "and %zu more warnings", n - WARNINGS_MAX);
}

void plot_add_selected(struct picture *pic)
{
	for (size_t i = 0; i < pic->nwhere; i++)
		SAY(pic, "only rows with %s", pic->where[i]);
}

static void add_scales(struct picture *pic)
{
	char zero[32];

	if (pic->nall)
		SAY(pic, "%zu of %zu points are drawn: those with the least, the median and the "
		    "greatest value in each part of the axis", pic->nthin, pic->nall);
	if (pic->x.broken)
		SAY(pic, "%s stands before the break, outside the logarithmic scale",
		    plot_number(zero, sizeof(zero), 0, pic->x.unit));
	if (pic->hidden)
		SAY(pic, "shares are of all values, also of those outside the range of the axes");
	else if (pic->noutside && pic->kind != KIND_CDF && pic->kind != KIND_HISTOGRAM)
		SAY(pic, "%zu point%s outside the range of the axes", pic->noutside,
		    pic->noutside == 1 ? " is" : "s are");
	plot_add_selected(pic);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];

		if (run->pattern && !*run->why)
			SAY(pic, "%s%sonly pattern %s", PLOT_OF(pic, run), run->pattern);
		if (run->halved)
			SAY(pic, "%s%spattern %s is drawn as half a round trip: "
			    "%s / (2 messages)", PLOT_OF(pic, run), PLOT_PINGPONG, run->y);
	}
}

int plot_texts(struct picture *pic, const struct canvas *c)
{
	size_t most = c->text ? PLOT_LETTERS : PLOT_MARKS;
	struct total t = sum_up(pic);

	if (plot_heading(pic))
		return ST_FAILED;
	if (pic->kind)
		plot_add_samples(pic);
	else if (t.measured)
		add_intervals(pic, &t);
	if (plot_is_ratio(pic))
		plot_add_limits(pic, c);
	if (pic->band)
		add_quantiles(pic, c);
	if (t.computed && !pic->kind)
		SAY(pic, "%s%s",
		    pic->x.text ? "what is computed has no intervals"
				: "joined points are computed, without intervals",
		    plot_is_by_time(pic)
			    ? "; between them the time is interpolated linearly over the size"
			    : "");
	if (pic->fitted)
		SAY(pic, "lines without marks: fitted, from the first point to the last");
	if (pic->ntraces > most)
		WARN(pic, "%zu series share %zu %s: see '--where'", pic->ntraces, most,
		     c->text ? "letters" : "colours and marks");
	if (pic->marked)
		SAY(pic, "%s: the presets of window and batch",
		    c->text ? "named points" : "rings");
	add_scales(pic);
	if (!pic->kind)
		SAY(pic, "column %s over %s", pic->y.column, pic->x.column);
	for (size_t i = 0; i < pic->nfiles; i++)
		add_missing(pic, &pic->runs[i]);
	plot_add_warnings(pic);
	return pic->caption.failed ? ST_FAILED : ST_OK;
}
