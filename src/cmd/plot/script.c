/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture as a script for gnuplot with its data. Title and caption are labels above and below, so
 * that the room they take is known; only numbers and quoted texts come from a file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/plot.h"
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

/* Samples of a fitted line; half the width of a box as a share of the axis. */
#define SAMPLES 60
#define BOX 0.007

/* For series in turn. Also the colour-blind can tell the colours apart. */
static const char *const colours[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A6D3B",
};
static const int marks[] = { 7, 9, 5, 13, 11, 6, 8, 4, 12, 10 };
_Static_assert(PLOT_MARKS == LENGTH(colours) * LENGTH(marks) / 2, "least common multiple");
static const int dashes[] = { 1, 2, 4, 5 };	/* so that both of two equal lines are seen */

/* Distances from the edges, in pixels or rows. */
struct layout {
	double line;			/* a line of text */
	size_t columns;			/* of a line */
	size_t key_rows, key_width;	/* rows of the legend, characters of an entry */
	double top, key, bottom;	/* the plot, the legend, the plot */
};

/* Characters of a line. */
static size_t columns_of(const struct canvas *c)
{
	return c->text ? c->width - 2 : (size_t)(c->width / (CHARACTER * c->scale)) - 3;
}

/* A single series of a single file needs no legend: the title says what it is. */
static bool has_legend(const struct picture *pic)
{
	return pic->named || pic->ntraces > 1;
}

/* Gives each of title, legend, name of y, plot, tics, name of x and caption its lines. */
static void lay_out(struct layout *l, const struct picture *pic, const struct canvas *c)
{
	size_t widest = 1, most;

	for (size_t i = 0; i < pic->ntraces; i++) {
		size_t width = plot_width(pic->traces[i].label);

		widest = width > widest ? width : widest;
	}
	l->line = c->text ? 1 : LINE * c->scale;
	l->key_width = widest < l->columns - 8 ? widest : l->columns - 8;
	most = l->columns / (l->key_width + 8);
	most = most ? most : 1;
	l->key_rows = has_legend(pic) ? (pic->ntraces + most - 1) / most : 0;
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

/* Leaves text of the caption out of a small picture that lacks so many lines, and says so. */
static void shorten_caption(struct picture *pic, const struct canvas *c, double lacking)
{
	size_t dropped = 0;

	if (lacking <= 0 || lacking + 1 > (double)pic->caption.n)
		return;
	while ((double)dropped < lacking + 1 && pic->caption.n)
		dropped += drop_text(&pic->caption);
	plot_add(&pic->caption, LINE_ALARM, "%zu lines have no room in %ux%u: see '--size'",
		 dropped, c->width, c->height);
}

/* Breaks the texts and makes room for them; grows the canvas if it may. */
static int make_room(struct picture *pic, struct canvas *c)
{
	struct layout l = { .columns = columns_of(c) };
	int err = plot_wrap(&pic->title, l.columns);
	double room, rows;

	err = err ? err : plot_wrap(&pic->caption, l.columns);
	if (err)
		return err;
	lay_out(&l, pic, c);
	rows = fmax((c->fixed ? least : usual)[c->text], (double)l.key_rows + KEY_MORE);
	if (c->fixed)
		shorten_caption(pic, c, rows - (c->height - l.top - l.bottom) / l.line);
	lay_out(&l, pic, c);
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

	plot_axes(pic, c);
	for (size_t i = 0; i < pic->ntraces; i++)
		npoints += pic->traces[i].n;
	if (npoints && pic->noutside == npoints)
		return error_usage("nothing to draw: no point is within the range of the axes");
	err = plot_texts(pic, c);
	return err ? err : make_room(pic, c);
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

/* A position at the left edge, so far below the top. */
static void put_left(FILE *to, const struct canvas *c, double from_top)
{
	double edge = c->text ? 1 : 10 * c->scale;

	fprintf(to, " at screen %.5f, screen %.5f left", edge / c->width, 1 - from_top / c->height);
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

static void put_texts(FILE *to, const struct picture *pic, const struct canvas *c,
		      const struct layout *l)
{
	double below = c->height - l->line * ((double)pic->caption.n - (c->text ? 0.5 : 0.1));

	for (size_t i = 0; i < pic->title.n; i++)
		put_label(to, c, &pic->title.v[i], l->line * ((double)i + (c->text ? 0.5 : 0.8)));
	for (size_t i = 0; i < pic->caption.n; i++)
		put_label(to, c, &pic->caption.v[i], below + l->line * (double)i);
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
	       below = l->bottom - l->line * (c->text ? 1.7 : 2.3);
	char name[160];

	plot_words(name, sizeof(name), pic->y.column);
	put_label(to, c, &(struct text_line){ name, LINE_PLAIN, false }, above);
	plot_words(name, sizeof(name), pic->x.column);
	fputs("set label ", to);
	plot_quote(to, name, l->columns);
	fprintf(to, " at graph 0.5, screen %.5f center\n", below / c->height);
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
		c->text ? 4 : 5, 1 - l->top / c->height, l->bottom / c->height);
	put_left(to, c, l->key);
	fprintf(to, " top Left reverse vertical maxrows %zu samplen %d width %d\n", l->key_rows,
		c->text ? 1 : 2, c->text ? 0 : 1);
	if (!c->text)
		fputs("set grid xtics ytics linetype 1 linewidth 0.6 linecolor rgb '#D8D8D8'\n",
		      to);
}

/* Points as lines "x y"; with a gap at the break of the axis. */
static void put_points(FILE *to, const struct picture *pic, size_t i)
{
	const struct trace *s = &pic->traces[i];

	fprintf(to, "$points%zu << END\n", i);
	for (size_t k = 0; k < s->n; k++) {
		if (k && pic->x.broken && s->p[k - 1].x == 0 && s->p[k].x != 0)
			putc('\n', to);
		fprintf(to, "%.9g %.9g\n", plot_place(&pic->x, s->p[k].x), s->p[k].y);
	}
	fputs("END\n", to);
}

/* The time of a value at x; also the value of a time, by the same formula. */
static double inverse(const struct axis *y, double x, double value)
{
	bool rate = !strcmp(y->unit, "B/s") || !strcmp(y->unit, "bit/s");

	return !strcmp(y->unit, "s") ? value : rate ? x / value : 1 / value;
}

/* Interpolates the time from p to q, without both ends. */
static void put_between(FILE *to, const struct picture *pic, const struct plot_point *p,
			const struct plot_point *q)
{
	double t = inverse(&pic->y, p->x, p->y),
	       slope = (inverse(&pic->y, q->x, q->y) - t) / (q->x - p->x);
	const struct axis *a = &pic->x;
	double share = a->log ? log(q->x / p->x) / (log(a->hi) - log(a->lo))
			      : (q->x - p->x) / (a->hi - a->lo);
	int steps = (int)ceil(SAMPLES * fmin(share, 1));

	for (int k = 1; k < steps; k++) {
		double x = p->x * pow(q->x / p->x, (double)k / steps);
		double y = inverse(&pic->y, x, t + slope * (x - p->x));

		if (y > 0 && isfinite(y))
			fprintf(to, "%.9g %.9g\n", x, y);
	}
}

/* Lines between computed points over sizes (plot_is_by_time). False if there are none. */
static bool put_lines(FILE *to, const struct picture *pic, size_t i)
{
	const struct trace *s = &pic->traces[i];

	if (!plot_is_joined(pic, s) || !plot_is_by_time(pic) || s->n < 2)
		return false;
	fprintf(to, "$lines%zu << END\n", i);
	for (size_t k = 0; k < s->n; k++) {
		const struct plot_point *p = &s->p[k], *before = k ? p - 1 : p;

		if (before->x > 0 && p->x > before->x)
			put_between(to, pic, before, p);
		if (pic->x.broken && before->x == 0 && p->x > 0)
			putc('\n', to);
		fprintf(to, "%.9g %.9g\n", plot_place(&pic->x, p->x), p->y);
	}
	fputs("END\n", to);
	return true;
}

/* "x y lo hi"; false if there are none. */
static bool put_bars(FILE *to, const struct picture *pic, size_t i)
{
	const struct trace *s = &pic->traces[i];
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++) {
		if (isnan(s->p[k].lo))
			continue;
		if (!n++)
			fprintf(to, "$bars%zu << END\n", i);
		fprintf(to, "%.9g %.9g %.9g %.9g\n", plot_place(&pic->x, s->p[k].x), s->p[k].y,
			s->p[k].lo, s->p[k].hi);
	}
	fputs(n ? "END\n" : "", to);
	return n;
}

/* Boxes "x left right median p90 p99"; p90 in place of a missing p99. False if there are none. */
static bool put_boxes(FILE *to, const struct picture *pic, size_t i)
{
	const struct trace *s = &pic->traces[i];
	const struct axis *x = &pic->x;
	double by = x->log ? exp(BOX * (log(x->hi) - log(x->lo))) : BOX * (x->hi - x->lo);
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++) {
		const struct plot_point *p = &s->p[k];
		double at = plot_place(x, p->x);

		if (isnan(p->p90))
			continue;
		if (!n++)
			fprintf(to, "$boxes%zu << END\n", i);
		fprintf(to, "%.9g %.9g %.9g ", at, x->log ? at / by : at - by,
			x->log ? at * by : at + by);
		fprintf(to, "%.9g %.9g %.9g\n", p->y, p->p90, isnan(p->p99) ? p->p90 : p->p99);
	}
	fputs(n ? "END\n" : "", to);
	return n;
}

/* The lines fitted to a series, with a gap between two; false if there are none. */
static bool put_fit(FILE *to, const struct picture *pic, size_t i)
{
	const struct trace *s = &pic->traces[i];

	if (!s->npieces)
		return false;
	fprintf(to, "$fit%zu << END\n", i);
	for (size_t m = 0; m < s->npieces; m++) {
		const struct piece *p = &s->pieces[m];
		double slope = (p->y[1] - p->y[0]) / (p->x[1] - p->x[0]);

		for (int k = 0; k <= SAMPLES; k++) {
			double x = p->x[0] * pow(p->x[1] / p->x[0], (double)k / SAMPLES);
			double y = p->y[0] + slope * (x - p->x[0]);

			if (y > 0 && isfinite(y))
				fprintf(to, "%.9g %.9g\n", x, y);
		}
		fputs(m + 1 < s->npieces ? "\n" : "", to);
	}
	fputs("END\n", to);
	return true;
}

/* Which parts a series has, as bits. */
enum series_part { PART_BARS = 1, PART_BOXES = 2, PART_FIT = 4, PART_LINES = 8 };

struct page {
	const struct picture *pic;
	const struct canvas *c;
	struct layout l;
	unsigned char *parts;
};

static const char *colour_of(size_t i)
{
	return colours[i % LENGTH(colours)];
}

/* The highest point of a preset's. */
static const struct plot_point *highest(const struct picture *pic, const char *preset)
{
	const struct plot_point *top = NULL;

	for (size_t i = 0; i < pic->ntraces; i++) {
		for (size_t k = 0; k < pic->traces[i].n; k++) {
			const struct plot_point *p = &pic->traces[i].p[k];

			if (p->preset == preset && (!top || p->y > top->y))
				top = p;
		}
	}
	return top;
}

/*
 * A preset's name beside its point, where a curve that rises and flattens leaves room, and in a
 * drawing a ring around it, or the ring alone.
 */
static void put_preset(FILE *to, const struct page *page, size_t i, const struct plot_point *p)
{
	const struct axis *x = &page->pic->x;
	double middle = x->log ? sqrt(x->lo * x->hi) : (x->lo + x->hi) / 2;
	bool text = page->c->text;

	fputs("set label ", to);
	plot_quote(to, highest(page->pic, p->preset) == p ? p->preset : "", page->l.columns);
	fprintf(to, " at %.9g,%.9g %s front", plot_place(x, p->x), p->y,
		p->x > middle ? text ? "right offset 0,1" : "right offset 0,0.9"
			      : text ? "left offset 0,1" : "left offset 1,-0.7");
	if (!text)
		fprintf(to, " point pointtype 6 pointsize %.3g linecolor rgb '%s'",
			2.2 * page->c->scale, colour_of(i));
	putc('\n', to);
}

/* True if a point has a preset's mark, which gnuplot would also draw beyond the axes. */
static bool has_mark(const struct picture *pic, const struct plot_point *p)
{
	return p->preset && !plot_is_outside(&pic->x, p->x) && !plot_is_outside(&pic->y, p->y);
}

static void put_presets(FILE *to, const struct page *page)
{
	for (size_t i = 0; i < page->pic->ntraces; i++)
		for (size_t k = 0; k < page->pic->traces[i].n; k++)
			if (has_mark(page->pic, &page->pic->traces[i].p[k]))
				put_preset(to, page, i, &page->pic->traces[i].p[k]);
}

static void put_plot_boxes(FILE *to, size_t i)
{
	static const struct {
		const char *columns, *fill;
	} boxes[] = {
		{ "1:4:2:3:4:5", "0.45 noborder" },
		{ "1:5:2:3:5:6", "0.18 noborder" },
	};

	for (size_t k = 0; k < LENGTH(boxes); k++)
		fprintf(to, "  $boxes%zu using %s with boxxyerror fillstyle transparent solid %s "
			"linecolor rgb '%s' notitle, \\\n",
			i, boxes[k].columns, boxes[k].fill, colour_of(i));
}

/* As arrows with flat heads: gnuplot's error bars hide short ones under white around the point. */
static void put_plot_bars(FILE *to, const struct canvas *c, size_t i)
{
	fprintf(to, "  $bars%zu using 1:3:(0):($4-$3) with vectors ", i);
	if (c->text)
		fputs("nohead linetype 0", to);
	else
		fprintf(to, "heads size screen 0.005,90 linewidth 1.6 linecolor rgb '%s'",
			colour_of(i));
	fputs(" notitle, \\\n", to);
}

static void put_title(FILE *to, const struct page *page, size_t i, bool wanted)
{
	wanted &= has_legend(page->pic);
	fputs(wanted ? " title " : " notitle", to);
	if (wanted)
		plot_quote(to, page->pic->traces[i].label, page->l.key_width);
}

/* A dash type: with the colour unique among the first 32 lines. */
static int dash_of(const struct picture *pic, size_t i)
{
	size_t before = 0;

	for (size_t k = 0; k < i; k++)
		before += plot_is_joined(pic, &pic->traces[k]);
	return dashes[(before + before / LENGTH(colours)) % LENGTH(dashes)];
}

/* The legend shows the line, or the letter if the canvas is text. */
static void put_plot_lines(FILE *to, const struct page *page, size_t i)
{
	fprintf(to, "  $lines%zu using 1:2 with lines", i);
	if (page->c->text)
		fprintf(to, " linetype %zu", i + 1);
	else
		fprintf(to, " linewidth 1.8 dashtype %d linecolor rgb '%s'", dash_of(page->pic, i),
			colour_of(i));
	put_title(to, page, i, !page->c->text);
	fputs(", \\\n", to);
}

static void put_plot_points(FILE *to, const struct page *page, size_t i)
{
	const struct picture *pic = page->pic;
	bool joined = plot_is_joined(pic, &pic->traces[i]), lines = page->parts[i] & PART_LINES;

	fprintf(to, "  $points%zu using 1:2 with %s pointtype %d", i,
		joined && !lines ? "linespoints" : "points",
		page->c->text ? (int)(i % PLOT_LETTERS) + 1 : marks[i % LENGTH(marks)]);
	if (!page->c->text)
		fprintf(to, " pointsize %.3g linewidth 1.8 dashtype %d linecolor rgb '%s'",
			(joined ? 0.7 : 1.1) * page->c->scale,
			joined && !lines ? dash_of(pic, i) : 1, colour_of(i));
	put_title(to, page, i, page->c->text || !lines);
	fputs(i + 1 < pic->ntraces ? ", \\\n" : "\n", to);
}

/* What is drawn beneath the points, with lines of characters, which would hide them. */
static void put_plot_beneath(FILE *to, const struct page *page)
{
	for (size_t i = 0; i < page->pic->ntraces; i++)
		if (page->parts[i] & PART_BOXES)
			put_plot_boxes(to, i);
	for (size_t i = 0; i < page->pic->ntraces; i++)
		if (page->parts[i] & PART_FIT)
			fprintf(to, "  $fit%zu using 1:2 with lines linewidth 1.4 "
				"linecolor rgb '%s' notitle, \\\n", i, colour_of(i));
	for (size_t i = 0; i < page->pic->ntraces; i++)
		if (page->parts[i] & PART_BARS)
			put_plot_bars(to, page->c, i);
	for (size_t i = 0; i < page->pic->ntraces && page->c->text; i++)
		if (page->parts[i] & PART_LINES)
			put_plot_lines(to, page, i);
}

/* Writes the data, and notes which parts each series has. */
static void put_data(FILE *to, struct page *page)
{
	for (size_t i = 0; i < page->pic->ntraces; i++) {
		unsigned char *parts = &page->parts[i];

		put_points(to, page->pic, i);
		*parts |= put_lines(to, page->pic, i) ? PART_LINES : 0;
		*parts |= put_bars(to, page->pic, i) ? PART_BARS : 0;
		*parts |= !page->c->text && put_boxes(to, page->pic, i) ? PART_BOXES : 0;
		*parts |= put_fit(to, page->pic, i) ? PART_FIT : 0;
	}
}

static void put_all(FILE *to, struct page *page)
{
	const struct picture *pic = page->pic;

	fputs("reset\n", to);
	put_texts(to, pic, page->c, &page->l);
	put_tics(to, 'x', &pic->x);
	put_tics(to, 'y', &pic->y);
	if (pic->x.broken)
		put_break(to, &pic->x, page->c);
	put_names(to, pic, page->c, &page->l);
	put_frame(to, page->c, &page->l);
	put_presets(to, page);
	put_data(to, page);
	fputs("plot \\\n", to);
	put_plot_beneath(to, page);
	for (size_t i = 0; i < pic->ntraces; i++) {
		if ((page->parts[i] & PART_LINES) && !page->c->text)
			put_plot_lines(to, page, i);
		put_plot_points(to, page, i);
	}
}

int plot_script(FILE *to, const struct picture *pic, const struct canvas *c)
{
	struct page page = { .pic = pic, .c = c, .l.columns = columns_of(c),
			     .parts = calloc(pic->ntraces, 1) };

	if (!page.parts)
		return error_report("no memory for a script");
	lay_out(&page.l, pic, c);
	put_all(to, &page);
	free(page.parts);
	return ST_OK;
}
