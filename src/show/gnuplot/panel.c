/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/panel.h"

#include <math.h>
#include <string.h>

#include "base/values.h"
#include "show/chart/axes.h"
#include "show/gnuplot/quote.h"

/* Half the width of a box as a share of the axis. */
#define BOX 0.007

/* For series in turn. Also the colour-blind can tell the colours apart. */
static const char *const colours[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A6D3B",
};
static const int marks[] = { 7, 8, 5, 12, 11, 6, 9, 4, 13, 10 };
static const int dashes[] = { 1, 2, 4, 5 };	/* so that both of two equal lines are seen */

/* Of comparisons by verdict: slower, faster, no difference seen, none. */
static const struct {
	const char *colour;
	int mark;
} verdicts[] = { { "#D55E00", 11 }, { "#009E73", 9 }, { "#56606A", 7 }, { "#909090", 6 } };

/* What is drawn of a series of a panel, beside its points. */
struct drawing {
	const struct chart_panel *p;
	const struct canvas *c;
	const struct trace *s;
	size_t i;		/* its number in the panel */
	bool bars, boxes;
	char x[48];		/* gnuplot's column of places */
};

static const char *colour_of(const struct trace *s)
{
	return s->hue ? verdicts[s->hue - 1].colour : colours[s->look % LENGTH(colours)];
}

static int mark_of(const struct drawing *d)
{
	if (d->c->text)
		return (int)d->i + 1;
	return d->s->shape ? verdicts[d->s->shape - 1].mark : marks[d->s->look % LENGTH(marks)];
}

static int dash_of(const struct trace *s)
{
	return dashes[(s->look + s->look / LENGTH(colours)) % LENGTH(dashes)];
}

/* By which share of the axis the marks of a series stand aside. */
static double aside_of(const struct drawing *d)
{
	return d->p->aside * ((double)d->i - (double)(d->p->nseries - 1) / 2);
}

/* A value of x that many shares of the axis to the right. */
static double moved(const struct axis *x, double at, double shares)
{
	return x->scale == SCALE_LOG ? at * pow(x->hi / x->lo, shares)
				     : at + shares * (x->hi - x->lo);
}

/* gnuplot's expression of the first column moved by shares of the axis. */
static void shifted(char *buf, size_t len, const struct axis *x, double shares)
{
	bool log = x->scale == SCALE_LOG;

	snprintf(buf, len, log ? "($1*%.6g)" : "($1+%.6g)", moved(x, log ? 1 : 0, shares));
}

/* ---- data ---- */

/*
 * Points as lines "x y", and if some have them interval and percentiles, "x y lo hi p90 p99", of
 * which the latter stands in for the former; with a gap at the break of the axis.
 */
static void put_points(FILE *to, struct drawing *d)
{
	const struct plot_point *p = d->s->p;

	for (size_t k = 0; k < d->s->n; k++) {
		d->bars |= !isnan(p[k].lo);
		d->boxes |= !isnan(p[k].p90) && !d->c->text;
	}
	fprintf(to, "$points%zu << END\n", d->i);
	for (size_t k = 0; k < d->s->n; k++) {
		if (k && d->p->x->broken && p[k - 1].x == 0 && p[k].x != 0)
			putc('\n', to);
		fprintf(to, "%.9g %.9g", axes_place(d->p->x, p[k].x), p[k].y);
		if (d->bars || d->boxes)
			fprintf(to, " %.9g %.9g %.9g %.9g", p[k].lo, p[k].hi, p[k].p90,
				isnan(p[k].p99) ? p[k].p90 : p[k].p99);
		putc('\n', to);
	}
	fputs("END\n", to);
}

static void put_spots(FILE *to, const struct drawing *d, const char *name,
		      const struct spots *spots)
{
	if (!spots->n)
		return;
	fprintf(to, "$%s%zu << END\n", name, d->i);
	for (size_t k = 0; k < spots->n; k++)
		if (isnan(spots->v[k].x))
			putc('\n', to);
		else
			fprintf(to, "%.9g %.9g\n", axes_place(d->p->x, spots->v[k].x),
				spots->v[k].y);
	fputs("END\n", to);
}

/* ---- names of presets ---- */

/* The highest point of a preset's. */
static const struct plot_point *highest(const struct chart_panel *panel, const char *preset)
{
	const struct plot_point *top = NULL;

	for (size_t i = 0; i < panel->nseries; i++) {
		for (size_t k = 0; k < panel->series[i]->n; k++) {
			const struct plot_point *p = &panel->series[i]->p[k];

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
static void put_preset(FILE *to, const struct drawing *d, const struct plot_point *p)
{
	const struct axis *x = d->p->x;
	bool text = d->c->text;

	fputs("set label ", to);
	quote_put(to, highest(d->p, p->preset) == p ? p->preset : "", d->c->width);
	fprintf(to, " at %.9g,%.9g %s front", moved(x, axes_place(x, p->x), aside_of(d)), p->y,
		axes_share_of(x, x->lo, axes_place(x, p->x)) > 0.5
		? text ? "right offset 0,1" : "right offset 0,0.9"
		: text ? "left offset 0,1" : "left offset 1,-0.7");
	if (!text)
		fprintf(to, " point pointtype 6 pointsize %.3g linecolor rgb '%s'",
			2.2 * d->c->scale, colour_of(d->s));
	putc('\n', to);
}

/* ---- drawings ---- */

/* From the median to the 90th percentile, and lighter to the 99th. */
static void draw_boxes(FILE *to, const struct drawing *d)
{
	const struct axis *x = d->p->x;
	char edges[2][48];

	for (int k = 0; k < 2; k++)
		shifted(edges[k], sizeof(edges[k]), x, aside_of(d) + (k ? BOX : -BOX));
	for (int k = 0; k < 2 && d->boxes; k++)
		fprintf(to, "  $points%zu using 1:%d:%s:%s:2:%d with boxxyerror "
			"fillstyle transparent solid %s noborder linecolor rgb '%s' notitle, \\\n",
			d->i, 5 + k, edges[0], edges[1], 5 + k, k ? "0.18" : "0.45",
			colour_of(d->s));
}

/* As arrows with flat heads: gnuplot's error bars hide short ones under white around the point. */
static void draw_bars(FILE *to, const struct drawing *d)
{
	if (!d->bars)
		return;
	fprintf(to, "  $points%zu using %s:3:(0):($4-$3) with vectors ", d->i, d->x);
	if (d->c->text)
		fputs("nohead linetype 0", to);
	else
		fprintf(to, "heads size screen 0.004,90 linewidth 1.6 linecolor rgb '%s'",
			colour_of(d->s));
	fputs(" notitle, \\\n", to);
}

static void put_title(FILE *to, const struct drawing *d, const struct slot *at, bool wanted)
{
	wanted &= d->p->keyed;
	fputs(wanted ? " title " : " notitle", to);
	if (wanted)
		quote_put(to, d->s->label.s, at->key_width);
}

/* The legend shows the line, or the letter if the canvas is text. */
static void draw_curve(FILE *to, const struct drawing *d, const struct slot *at)
{
	if (d->s->style != STYLE_CURVE)
		return;
	fprintf(to, "  $lines%zu using 1:2 with lines", d->i);
	if (d->c->text)
		fprintf(to, " linetype %zu", d->i + 1);
	else
		fprintf(to, " linewidth 1.8 dashtype %d linecolor rgb '%s'", dash_of(d->s),
			colour_of(d->s));
	put_title(to, d, at, !d->c->text);
	fputs(", \\\n", to);
}

/* Lines of steps differ as do those of computed series. */
static void draw_points(FILE *to, const struct drawing *d, const struct slot *at)
{
	static const char *const how[] = {
		[STYLE_MARKS] = "points", [STYLE_CURVE] = "points",
		[STYLE_JOINED] = "linespoints", [STYLE_STEPS] = "steps",
	};
	enum series_style style = d->s->style;

	fprintf(to, "  $points%zu using %s:%s with %s", d->i, d->x,
		d->p->y->scale == SCALE_NINES ? "(nines($2))" : "2", how[style]);
	if (style == STYLE_STEPS && !d->c->text)
		fprintf(to, " linewidth 2 dashtype %d linecolor rgb '%s'",
			dashes[d->s->look / LENGTH(colours) % LENGTH(dashes)], colour_of(d->s));
	else if (style != STYLE_STEPS)
		fprintf(to, " pointtype %d", mark_of(d));
	if (style != STYLE_STEPS && !d->c->text)
		fprintf(to, " pointsize %.3g linewidth 1.8 dashtype %d linecolor rgb '%s'",
			(style == STYLE_MARKS ? 1.1 : 0.7) * d->c->scale,
			style == STYLE_JOINED ? dash_of(d->s) : 1, colour_of(d->s));
	put_title(to, d, at, d->c->text || style != STYLE_CURVE);
	fputs(d->i + 1 < d->p->nseries ? ", \\\n" : "\n", to);
}

static struct drawing begin(FILE *to, const struct chart_panel *p, size_t i, const struct canvas *c)
{
	struct drawing d = { .p = p, .c = c, .s = p->series[i], .i = i };

	snprintf(d.x, sizeof(d.x), "1");
	if (p->aside > 0)
		shifted(d.x, sizeof(d.x), p->x, aside_of(&d));
	for (size_t k = 0; k < d.s->n && p->ringed; k++) {
		const struct plot_point *at = &d.s->p[k];

		/* gnuplot would also draw those beyond the axes */
		if (at->preset && !axis_excludes(p->x, at->x) && !axis_excludes(p->y, at->y))
			put_preset(to, &d, at);
	}
	put_points(to, &d);
	put_spots(to, &d, "lines", &d.s->curve);
	put_spots(to, &d, "fit", &d.s->fit);
	return d;
}

/* Boxes, fits and bars are drawn beneath all points; so are lines of characters, over letters. */
void panel_put(FILE *to, const struct chart_panel *p, const struct slot *at, const struct canvas *c)
{
	struct drawing d[SERIES_LETTERS];

	if (p->y->scale == SCALE_NINES)
		fprintf(to, "nines(p) = p < 100 ? -log10(1 - p / 100.0) : %.9g\n", p->y->hi);
	for (size_t i = 0; i < p->nseries; i++)
		d[i] = begin(to, p, i, c);
	fputs("plot \\\n", to);
	for (size_t i = 0; i < p->nseries; i++)
		draw_boxes(to, &d[i]);
	for (size_t i = 0; i < p->nseries; i++)
		if (d[i].s->fit.n)
			fprintf(to, "  $fit%zu using 1:2 with lines linewidth 1.4 "
				"linecolor rgb '%s' notitle, \\\n", i, colour_of(d[i].s));
	for (size_t i = 0; i < p->nseries; i++)
		draw_bars(to, &d[i]);
	for (size_t i = 0; i < p->nseries && c->text; i++)
		draw_curve(to, &d[i], at);
	for (size_t i = 0; i < p->nseries; i++) {
		if (!c->text)
			draw_curve(to, &d[i], at);
		draw_points(to, &d[i], at);
	}
}
