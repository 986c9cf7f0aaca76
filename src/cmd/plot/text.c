/* SPDX-License-Identifier: Apache-2.0 */
/* Title and caption of a picture; quoting and breaking of texts. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
#include "base/error.h"
#include "base/text.h"
#include "result/columns.h"
#include "result/reader.h"
#include "base/values.h"

/* Warnings that are shown; the others are counted. */
#define WARNINGS_MAX 4

/* An interval of the median needs so many repetitions. */
#define REPETITIONS_LEAST 6

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

/* Appends a text, which it owns from then on. */
static void push(struct text_lines *lines, char *text, bool alarm)
{
	struct text_line *grown = text && !lines->failed
				  ? list_grow(lines->v, lines->n, sizeof(*grown)) : NULL;

	if (grown) {
		lines->v = grown;
		lines->v[lines->n++] = (struct text_line){ text, alarm };
		return;
	}
	free(text);
	if (!lines->failed)
		error_report("no memory for a line of text");
	lines->failed = true;
}

static void __attribute__((format(printf, 3, 4)))
add(struct text_lines *lines, bool alarm, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	push(lines, text, alarm);
}

/* Arguments for "%s%s": "label: " if files are named. */
#define OF(pic, run) (pic)->named ? (run)->label : "", (pic)->named ? ": " : ""

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

			push(&broken, strndup(at, (size_t)(end - at)), lines->v[i].alarm);
			at = end + strspn(end, " ");
		} while (*at);
	}
	plot_free_lines(lines);
	*lines = broken;
	return broken.failed ? ST_FAILED : ST_OK;
}

/* The backend, in virtual time also its network; the board or parameters of a model. */
static void put_carrier(FILE *to, const json_t *doc)
{
	static const char *const models[] = { "board", "logp", "loggp", "rdma", "like", "fit" };
	const char *backend = result_text(doc, "environment.backend.name");
	const char *method = result_text(doc, "environment.backend.method");

	if (*backend)
		fprintf(to, ", backend %s", backend);
	if (*method && result_is_computed(doc))
		fprintf(to, " (%s)", method);
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]) && !*backend; i++) {
		const char *value = result_text(json_object_get(doc, "options"), models[i]);

		if (*value)
			fprintf(to, ", %s %s", models[i], value);
	}
	fputs(result_is_computed(doc) ? ", computed" : "", to);
	fputs(result_is_emulated(doc) ? ", emulated" : "", to);
}

/* The host of rank 0, and how many more there are. */
static void put_hosts(FILE *to, const json_t *doc)
{
	const char *host = result_text(doc, "environment.host.name");
	json_t *rank, *hosts = json_object();
	size_t i;

	json_array_foreach(result_at(doc, "environment.ranks"), i, rank)
		json_object_set_new(hosts, result_text(rank, "host"), json_true());
	json_object_del(hosts, "");
	if (*host)
		fprintf(to, ", host %s", host);
	if (json_object_size(hosts) > 1 && !result_is_computed(doc))
		fprintf(to, " and %zu more", json_object_size(hosts) - 1);
	json_decref(hosts);
}

/* "label: command, definition, backend, host, date" */
static char *name_of(const struct picture *pic, const struct plot_run *run)
{
	const char *start = result_text(run->doc, "environment.time.start");
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	if (pic->named)
		fprintf(to, "%s: ", run->label);
	fprintf(to, "%s, ", result_text(run->doc, "command"));
	fputs(result_text(run->doc, "definition"), to);
	put_carrier(to, run->doc);
	put_hosts(to, run->doc);
	fprintf(to, ", %s", *start ? start : "date not recorded");
	if (run->nmore)
		fprintf(to, ", and %zu more file%s", run->nmore, run->nmore == 1 ? "" : "s");
	return text_close(to, &text);
}

static void add_title(struct picture *pic)
{
	if (pic->of > 1)
		add(&pic->title, false, "%s%s (%zu of %zu)", PLOT_FAMILY, pic->benchmark,
		    pic->number, pic->of);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];
		const char *status = result_text(run->doc, "status");

		push(&pic->title, name_of(pic, run), false);
		if (strcmp(status, "complete") != 0)
			add(&pic->title, true, "%s%s%s, %s", OF(pic, run),
			    *status ? status : "status not recorded",
			    strcmp(status, "failed") ? "points may be missing"
						     : "these numbers are not to be trusted");
	}
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

	if (t->reps_min < t->reps_max)
		snprintf(n, sizeof(n), "n = %.0f to %.0f repetitions a point", t->reps_min,
			 t->reps_max);
	else if (!isnan(t->reps_min))
		snprintf(n, sizeof(n), "n = %.0f repetitions a point", t->reps_min);
	if (!t->bars && t->reps_max < REPETITIONS_LEAST)
		add(&pic->caption, false, "%s, too few for a 95 %% interval of the median", n);
	else if (!t->bars)
		add(&pic->caption, false, "%s%sno 95 %% interval of %s in the results", n, between,
		    pic->y.column);
	else if (t->bars == t->points)
		add(&pic->caption, false, "%s%sbars: 95 %% interval of the median", n, between);
	else
		add(&pic->caption, false,
		    "%s%sbars: 95 %% interval of the median, which %zu of %zu points have not%s", n,
		    between, t->points - t->bars, t->points,
		    t->reps_min < REPETITIONS_LEAST
			    ? "; it needs 6 repetitions"
			    : ": repetitions depend on one another");
}

static void add_quantiles(struct picture *pic, const struct canvas *c)
{
	char p50[80], p90[80], p99[80];

	column_part(p50, sizeof(p50), pic->y.column, "p50");
	column_part(p90, sizeof(p90), pic->y.column, "p90");
	column_part(p99, sizeof(p99), pic->y.column, "p99");
	add(&pic->caption, false, c->text ? "%s, %s and %s are drawn in files only"
		: "boxes: from %s (dash) to %s, and lighter to %s", p50, p90, p99);
}

static void add_missing(struct picture *pic, const struct plot_run *run)
{
	if (*run->why)
		add(&pic->caption, true, "%s%snot drawn: %s", OF(pic, run), run->why);
	else if (run->nmissing && run->missing_empty && !run->note)
		add(&pic->caption, false, "%s%snot drawn: messages of 0 B, which have no %s",
		    OF(pic, run), run->y);
	else if (run->nmissing)
		add(&pic->caption, true, "%s%snot drawn: %zu of %zu rows, without %s or %s%s%s%s",
		    OF(pic, run), run->nmissing, run->nrows, run->y, pic->x.column,
		    run->note ? " (" : "", run->note ? run->note : "", run->note ? ")" : "");
}

/* Adds the first WARNINGS_MAX warnings of all runs, and counts the others. */
static void add_warnings(struct picture *pic)
{
	size_t i, n = 0;
	json_t *text;

	for (size_t k = 0; k < pic->nruns; k++)
		json_array_foreach(json_object_get(pic->runs[k].doc, "warnings"), i, text)
			if (json_is_string(text) && n++ < WARNINGS_MAX)
				add(&pic->caption, true, "%s%swarning: %s", OF(pic, &pic->runs[k]),
				    json_string_value(text));
	if (n > WARNINGS_MAX)
		add(&pic->caption, true, "and %zu more warnings", n - WARNINGS_MAX);
}

static void add_scales(struct picture *pic)
{
	char zero[32];

	if (pic->x.broken)
		add(&pic->caption, false,
		    "%s stands before the break, outside the logarithmic scale",
		    plot_number(zero, sizeof(zero), 0, pic->x.unit));
	for (size_t i = 0; i < pic->nwhere; i++)
		add(&pic->caption, false, "only rows with %s", pic->where[i]);
	for (size_t i = 0; i < pic->nruns; i++) {
		const struct plot_run *run = &pic->runs[i];

		if (run->pattern && !*run->why)
			add(&pic->caption, false, "%s%sonly pattern %s", OF(pic, run),
			    run->pattern);
		if (run->halved)
			add(&pic->caption, false, "%s%spattern %s is drawn as half a round trip: "
			    "%s / (2 messages)", OF(pic, run), PLOT_PINGPONG, run->y);
	}
}

int plot_texts(struct picture *pic, const struct canvas *c)
{
	size_t most = c->text ? PLOT_LETTERS : PLOT_MARKS;
	struct total t = sum_up(pic);

	add_title(pic);
	if (pic->title.failed)
		return ST_FAILED;
	if (t.measured)
		add_intervals(pic, &t);
	if (pic->band)
		add_quantiles(pic, c);
	if (t.computed)
		add(&pic->caption, false, "%s%s",
		    pic->x.text ? "what is computed has no intervals"
				: "joined points are computed, without intervals",
		    plot_is_by_time(pic)
			    ? "; between them the time is interpolated linearly over the size"
			    : "");
	if (pic->fitted)
		add(&pic->caption, false,
		    "lines without marks: fitted, from the first point to the last");
	if (pic->ntraces > most)
		add(&pic->caption, true, "%zu series share %zu %s: see '--where'", pic->ntraces,
		    most, c->text ? "letters" : "colours and marks");
	if (pic->marked)
		add(&pic->caption, false, "%s: the presets of window and batch",
		    c->text ? "named points" : "rings");
	add_scales(pic);
	for (size_t i = 0; i < pic->nfiles; i++)
		add_missing(pic, &pic->runs[i]);
	add_warnings(pic);
	return pic->caption.failed ? ST_FAILED : ST_OK;
}
