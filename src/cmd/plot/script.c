/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The series of a picture as a script for gnuplot with its data; only numbers and quoted texts come
 * from a file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/plot/heat/heat.h"
#include "base/error.h"
#include "base/values.h"

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

static const char *colour_of(const struct page *page, size_t i)
{
	bool ratio = plot_is_ratio(page->pic);
	const char *own = ratio ? plot_verdict_colour(page->pic, i) : NULL;

	return own ? own
		   : colours[(ratio ? plot_key_number(page->pic, i) : i) % LENGTH(colours)];
}

static int mark_of(const struct page *page, size_t i)
{
	if (page->c->text)
		return (int)(i % PLOT_LETTERS) + 1;
	return plot_is_ratio(page->pic) ? plot_verdict_mark(&page->pic->traces[i])
					: marks[i % LENGTH(marks)];
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
			2.2 * page->c->scale, colour_of(page, i));
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

static void put_plot_boxes(FILE *to, const struct page *page, size_t i)
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
			i, boxes[k].columns, boxes[k].fill, colour_of(page, i));
}

/* As arrows with flat heads: gnuplot's error bars hide short ones under white around the point. */
static void put_plot_bars(FILE *to, const struct page *page, size_t i)
{
	fprintf(to, "  $bars%zu using 1:3:(0):($4-$3) with vectors ", i);
	if (page->c->text)
		fputs("nohead linetype 0", to);
	else
		fprintf(to, "heads size screen 0.005,90 linewidth 1.6 linecolor rgb '%s'",
			colour_of(page, i));
	fputs(" notitle, \\\n", to);
}

static void put_title(FILE *to, const struct page *page, size_t i, bool wanted)
{
	wanted &= plot_has_legend(page->pic);
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
			colour_of(page, i));
	put_title(to, page, i, !page->c->text);
	fputs(", \\\n", to);
}

/* Distributions; the lines of their steps differ as do those of computed series. */
static void put_plot_steps(FILE *to, const struct page *page, size_t i)
{
	fprintf(to, "  $points%zu using 1:2 with steps linewidth 2 dashtype %d "
		"linecolor rgb '%s'", i, dashes[(i / LENGTH(colours)) % LENGTH(dashes)],
		colour_of(page, i));
	put_title(to, page, i, true);
	fputs(i + 1 < page->pic->ntraces ? ", \\\n" : "\n", to);
}

static void put_plot_points(FILE *to, const struct page *page, size_t i)
{
	const struct picture *pic = page->pic;
	bool joined = plot_is_joined(pic, &pic->traces[i]), lines = page->parts[i] & PART_LINES;

	if (!page->c->text && (pic->kind == KIND_CDF || pic->kind == KIND_HISTOGRAM)) {
		put_plot_steps(to, page, i);
		return;
	}
	fprintf(to, "  $points%zu using 1:2 with %s pointtype %d", i,
		joined && !lines ? "linespoints" : "points",
		mark_of(page, i));
	if (!page->c->text)
		fprintf(to, " pointsize %.3g linewidth 1.8 dashtype %d linecolor rgb '%s'",
			(joined ? 0.7 : 1.1) * page->c->scale,
			joined && !lines ? dash_of(pic, i) : 1, colour_of(page, i));
	put_title(to, page, i, page->c->text || !lines);
	fputs(i + 1 < pic->ntraces ? ", \\\n" : "\n", to);
}

/* What is drawn beneath the points, with lines of characters, which would hide them. */
static void put_plot_beneath(FILE *to, const struct page *page)
{
	for (size_t i = 0; i < page->pic->ntraces; i++)
		if (page->parts[i] & PART_BOXES)
			put_plot_boxes(to, page, i);
	for (size_t i = 0; i < page->pic->ntraces; i++)
		if (page->parts[i] & PART_FIT)
			fprintf(to, "  $fit%zu using 1:2 with lines linewidth 1.4 "
				"linecolor rgb '%s' notitle, \\\n", i, colour_of(page, i));
	for (size_t i = 0; i < page->pic->ntraces; i++)
		if (page->parts[i] & PART_BARS)
			put_plot_bars(to, page, i);
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

	plot_frame(to, pic, page->c, &page->l);
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
	struct page page = { .pic = pic, .c = c };

	if (pic->heat) {
		heat_script(to, pic, c);
		return ST_OK;
	}
	page.parts = calloc(pic->ntraces, 1);
	if (!page.parts)
		return error_report("no memory for a script");
	plot_layout(&page.l, pic, c);
	put_all(to, &page);
	free(page.parts);
	return ST_OK;
}
