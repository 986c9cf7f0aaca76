/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is around the series of a picture: terminal, title, legend, axes, caption. Title and caption
 * are labels above and below, so that the room they take is known.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/heat/heat.h"
#include "base/error.h"
#include "base/values.h"
#include "cmd/plot.h"

/* Pixels of a line of text and of a character of it, at scale 1. */
#define LINE 16.0
#define CHARACTER 7.2

/* The least lines of text between the axes: with --size, and of a canvas that may grow. */
static const double least[2] = { 11, 6 }, usual[2] = { 26, 12 };	/* pixels, characters */

/*
 * gnuplot makes more columns of a legend that has more rows than the plot is high, and they do not
 * fit: the plot is higher by this many lines.
 */
#define KEY_MORE 2

/* Characters of a line. */
static size_t columns_of(const struct canvas *c)
{
	return c->text ? c->width - 2 : (size_t)(c->width / (CHARACTER * c->scale)) - 3;
}

bool plot_has_legend(const struct picture *pic)
{
	return !pic->legend_of && (pic->named || pic->ntraces > 1 || plot_is_ratio(pic));
}

/* Characters that an entry of the legend takes beside its text. */
#define KEY_SAMPLE 8

static size_t widest_label(const struct picture *pic)
{
	size_t widest = 1;

	for (size_t i = 0; i < pic->ntraces; i++) {
		size_t width = plot_width(pic->traces[i].label);

		widest = width > widest ? width : widest;
	}
	return widest;
}

double plot_legend_width(const struct picture *pic, const struct canvas *c)
{
	return (double)(widest_label(pic) + KEY_SAMPLE + 4) * CHARACTER * c->scale;
}

void plot_layout(struct layout *l, const struct picture *pic, const struct canvas *c)
{
	size_t widest = widest_label(pic), most;

	l->columns = columns_of(c);
	l->line = c->text ? 1 : LINE * c->scale;
	l->key_width = widest < l->columns - KEY_SAMPLE ? widest : l->columns - KEY_SAMPLE;
	most = l->columns / (l->key_width + KEY_SAMPLE);
	most = most ? most : 1;
	l->key_rows = plot_has_legend(pic) ? (pic->ntraces + most - 1) / most : 0;
	l->top = l->line * ((double)(pic->title.n + l->key_rows) + (c->text ? 1.2 : 2.7));
	l->key = l->line * ((double)pic->title.n + (c->text ? -1 : 0.7));	/* a row is free */
	l->bottom = l->line * ((double)pic->caption.n + (c->text ? 2.2 : 3.7));
}

/*
 * Drops the last text of a caption that is no warning, but for the first, which says what the marks
 * are, else the last one. How many lines it had.
 */
static size_t drop_text(struct text_lines *lines)
{
	size_t at = lines->n - 1, end;

	while (at && lines->v[at].kind == LINE_ALARM)
		at--;
	while (at && lines->v[at].goes_on)
		at--;
	at = at ? at : lines->n - 1;
	while (at && lines->v[at].goes_on)
		at--;
	for (end = at; end == at || (end < lines->n && lines->v[end].goes_on); end++)
		free(lines->v[end].text);
	memmove(&lines->v[at], &lines->v[end], (lines->n - end) * sizeof(*lines->v));
	lines->n -= end - at;
	return end - at;
}

void plot_shorten_caption(struct picture *pic, const struct canvas *c, double lacking)
{
	size_t dropped = 0;

	if (lacking <= 0 || lacking + 1 > (double)pic->caption.n)
		return;
	while ((double)dropped < lacking + 1 && pic->caption.n)
		dropped += drop_text(&pic->caption);
	plot_add(&pic->caption, LINE_ALARM, "%zu lines have no room in %ux%u: see '--size'",
		 dropped, c->width, c->height);
}

int plot_break_texts(struct picture *pic, const struct canvas *c)
{
	int err = plot_wrap(&pic->title, columns_of(c));

	return err ? err : plot_wrap(&pic->caption, columns_of(c));
}

int plot_make_room(struct picture *pic, struct canvas *c)
{
	struct layout l;
	int err = plot_break_texts(pic, c);
	double room, rows;

	if (err)
		return err;
	plot_layout(&l, pic, c);
	rows = c->lines > 0 ? c->lines : (c->fixed ? least : usual)[c->text];
	rows = fmax(rows, (double)l.key_rows + KEY_MORE);
	if (c->fixed)
		plot_shorten_caption(pic, c, rows - (c->height - l.top - l.bottom) / l.line);
	plot_layout(&l, pic, c);
	room = c->height - l.top - l.bottom;
	if (!c->fixed)
		c->height += (unsigned)fmax(0, fmin(rows * l.line - room, PLOT_SIZE_MAX));
	if (c->height > PLOT_SIZE_MAX || (c->fixed && room < rows * l.line))
		return error_usage("no room in %ux%u for %zu series with their text: see '--size' "
				   "and '--where'", c->width, c->height, pic->ntraces);
	return ST_OK;
}

int plot_lay_out(struct picture *pic, struct canvas *c)
{
	size_t npoints = 0;
	int err;

	if (pic->heat)
		return heat_lay_out(pic, c);
	plot_axes(pic, c);
	for (size_t i = 0; i < pic->ntraces; i++)
		npoints += pic->traces[i].n;
	if (npoints && pic->noutside == npoints)
		return error_usage("nothing to draw: no point is within the range of the axes");
	err = plot_thin(pic);
	err = err ? err : plot_texts(pic, c);
	return err ? err : plot_make_room(pic, c);
}

void plot_terminal(FILE *to, const struct canvas *c, const char *path)
{
	fprintf(to, "if (strstrt(GPVAL_TERMINALS, '%s') == 0) { exit status 3 }\n"
		"set encoding utf8\nset terminal %s noenhanced ", c->terminal, c->terminal);
	if (c->text)
		fprintf(to, "mono size %u,%u\n", c->width, c->height);
	else if (!strcmp(c->terminal, "pdfcairo"))
		fprintf(to, "size %.4fin,%.4fin font 'sans,%.3g' fontscale 0.75 linewidth %.3g\n",
			c->width / 96.0, c->height / 96.0, 10 * c->scale, c->scale);
	else
		fprintf(to, "size %u,%u font 'sans,%.3g' linewidth %.3g "
			"background rgb '#FFFFFF'\n", c->width, c->height,
			(strcmp(c->terminal, "svg") ? 10 : 12) * c->scale, c->scale);
	if (path) {
		fputs("set output ", to);
		plot_quote(to, path, strlen(path));
		putc('\n', to);
	}
}

/* Places on the page, from a distance to the left edge or to the top of the picture. */
static double across(const struct canvas *c, double from_left)
{
	return (c->left + from_left) / (c->page_width ? c->page_width : c->width);
}

static double down(const struct canvas *c, double from_top)
{
	return 1 - (c->top + from_top) / (c->page_height ? c->page_height : c->height);
}

/* A position at the left edge, so far below the top. */
static void put_left(FILE *to, const struct canvas *c, double from_top)
{
	fprintf(to, " at screen %.5f, screen %.5f left",
		across(c, c->text ? 1 : 10 * c->scale), down(c, from_top));
}

static void put_label(FILE *to, const struct canvas *c, const struct text_line *line,
		      double from_top)
{
	fputs("set label ", to);
	plot_quote(to, line->text, c->width);
	put_left(to, c, from_top);
	if (line->kind == LINE_HEAD && !c->text)
		fputs(" font ':Bold'", to);
	fputs(line->kind == LINE_ALARM ? " textcolor rgb '#B00000'\n" : "\n", to);
}

void plot_put_texts(FILE *to, const struct picture *pic, const struct canvas *c)
{
	double line = c->text ? 1 : LINE * c->scale;
	double below = c->height - line * ((double)pic->caption.n - (c->text ? 0.5 : 0.1));

	for (size_t i = 0; i < pic->title.n; i++)
		put_label(to, c, &pic->title.v[i], line * ((double)i + (c->text ? 0.5 : 0.8)));
	for (size_t i = 0; i < pic->caption.n; i++)
		put_label(to, c, &pic->caption.v[i], below + line * (double)i);
}

/* Doubles each %: texts of tics are formats. */
static void put_tic(FILE *to, const struct tic *t)
{
	char text[2 * sizeof(t->text)];
	size_t n = 0;

	for (const char *s = t->text; *s; s++) {
		text[n++] = *s;
		if (*s == '%')
			text[n++] = *s;
	}
	text[n] = '\0';
	plot_quote(to, text, n);
	fprintf(to, " %.9g %d", t->at, n ? 0 : 1);
}

static void put_tics(FILE *to, char name, const struct axis *a)
{
	fprintf(to, "set %stics nomirror (", (char[]){ name, '\0' });
	for (size_t i = 0; i < a->ntics; i++) {
		fputs(i ? ", " : "", to);
		put_tic(to, &a->tics[i]);
	}
	fprintf(to, ")\nset %crange [%.9g:%.9g]\n%sset logscale %c\n", name, a->lo, a->hi,
		a->log ? "" : "un", name);
}

/* Puts the name of y above its axis, that of x below its tics. */
static void put_names(FILE *to, const struct picture *pic, const struct canvas *c,
		      const struct layout *l)
{
	double above = l->top - l->line * (c->text ? 0.7 : 1),
	       below = c->height - l->bottom + l->line * (c->text ? 1.7 : 2.3);
	char name[256];

	if (plot_is_ratio(pic))
		plot_name_ratio(name, sizeof(name), pic);
	else
		plot_words(name, sizeof(name), pic->y.column);
	put_label(to, c, &(struct text_line){ name, LINE_PLAIN, false }, above);
	if (pic->single)
		plot_name_sample(name, sizeof(name), pic);
	else
		plot_words(name, sizeof(name), pic->x.column);
	fputs("set label ", to);
	plot_quote(to, name, l->columns);
	fprintf(to, " at graph 0.5, screen %.5f center\n", down(c, below));
}

/* Marks the break between 0 and the logarithmic scale. */
static void put_break(FILE *to, const struct axis *x, const struct canvas *c)
{
	double at = (log(x->gap) - log(x->lo)) / (log(x->hi) - log(x->lo));

	if (!c->text)
		fprintf(to, "set arrow from graph %.5f, graph 0 to graph %.5f, graph 1 nohead "
			"dashtype 2 linecolor rgb '#909090'\n", at, at);
	fprintf(to, "set label '//' at graph %.5f, graph 0 center front\n", at);
}

static void put_frame(FILE *to, const struct canvas *c, const struct layout *l)
{
	fprintf(to, "set border 3\nset rmargin %d\nset tmargin at screen %.5f\n"
		"set bmargin at screen %.5f\nset key",
		c->text ? 4 : 5, down(c, l->top), down(c, c->height - l->bottom));
	put_left(to, c, l->key);
	fprintf(to, " top Left reverse vertical maxrows %zu samplen %d width %d\n", l->key_rows,
		c->text ? 1 : 2, c->text ? 0 : 1);
	if (!c->text)
		fputs("set grid xtics ytics linetype 1 linewidth 0.6 linecolor rgb '#D8D8D8'\n",
		      to);
}

/* The part of the page that a panel takes. */
static void put_origin(FILE *to, const struct canvas *c)
{
	fprintf(to, "set origin %.5f, %.5f\nset size %.5f, %.5f\n", across(c, 0),
		down(c, c->height), (double)c->width / c->page_width,
		(double)c->height / c->page_height);
}

void plot_frame(FILE *to, const struct picture *pic, const struct canvas *c,
		const struct layout *l)
{
	if (c->page_width)
		put_origin(to, c);
	plot_put_texts(to, pic, c);
	put_tics(to, 'x', &pic->x);
	put_tics(to, 'y', &pic->y);
	if (pic->x.broken)
		put_break(to, &pic->x, c);
	if (plot_is_ratio(pic))
		plot_put_limits(to, pic, c);
	put_names(to, pic, c, l);
	put_frame(to, c, l);
}
