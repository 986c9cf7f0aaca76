/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/panel.h"

#include <math.h>

#include "base/values.h"
#include "show/chart/axes.h"
#include "show/gnuplot/quote.h"

/* Half the width of a box, as a share of the axis. */
#define BOX 0.007

/* The looks of series, used in turn. The colour-blind can also distinguish these colours. */
static const char *const colours[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A6D3B",
};
static const int marks[] = { 7, 8, 5, 12, 11, 6, 9, 4, 13, 10 };
/* dashes differ, so that both of two coinciding lines are visible */
static const int dashes[] = { 1, 2, 4, 5 };

/*
 * The looks of comparisons, in the order of verdicts: slower, faster, no difference seen, no
 * verdict.
 */
static const struct {
	const char *colour;
	int mark;
} verdicts[] = { { "#D55E00", 11 }, { "#009E73", 9 }, { "#56606A", 7 }, { "#909090", 6 } };

/* How a series of a panel is drawn. */
struct drawing {
	const struct chart_panel *p;
	const struct canvas *c;
	const struct slot *at;
	const struct trace *s;
	size_t i;		/* number of the series in the panel */
	bool bars, boxes;
	struct text x;		/* gnuplot's expression for x */
	const char *colour;
	int dash;		/* dash pattern; series with the same colour have different ones */
};

/*
 * Returns the distance by which the marks of a series are moved to the right, as a share of the
 * axis.
 */
static double mark_offset(const struct drawing *d)
{
	return d->p->aside * ((double)d->i - (double)(d->p->nseries - 1) / 2);
}

/* Returns the value of x that lies to the right of `at` by a share of the axis. */
static double shift_right(const struct axis *x, double at, double shares)
{
	return x->scale == SCALE_LOG ? at * pow(x->hi / x->lo, shares)
				     : at + shares * (x->hi - x->lo);
}

/* Returns gnuplot's expression for the first column, moved to the right by a share of the axis. */
static struct text shifted_column(const struct axis *x, double shares)
{
	bool log = x->scale == SCALE_LOG;

	return text_from(log ? "($1*%.6g)" : "($1+%.6g)", shift_right(x, log ? 1 : 0, shares));
}

/* ---- data ---- */

/*
 * Writes points as "x y". If any point has an interval or percentiles, writes "x y lo hi p90 p99",
 * with p90 for a missing p99. An empty line marks the break of the axis.
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
		fprintf(to, "%.9g %.9g", axes_coordinate(d->p->x, p[k].x), p[k].y);
		if (d->bars || d->boxes)
			fprintf(to, " %.9g %.9g %.9g %.9g", p[k].lo, p[k].hi, p[k].p90,
				isnan(p[k].p99) ? p[k].p90 : p[k].p99);
		putc('\n', to);
	}
	fputs("END\n", to);
}

static void put_line_points(FILE *to, const struct drawing *d, const char *name,
			    const struct spots *spots)
{
	if (spots->n)
		fprintf(to, "$%s%zu << END\n", name, d->i);
	for (size_t k = 0; k < spots->n; k++)
		if (isnan(spots->v[k].x))
			putc('\n', to);
		else
			fprintf(to, "%.9g %.9g\n", axes_coordinate(d->p->x, spots->v[k].x),
				spots->v[k].y);
	fputs(spots->n ? "END\n" : "", to);
}

static void put_strip(FILE *to, const struct drawing *d, const struct strip *strip)
{
	if (strip->n)
		fprintf(to, "$strip%zu << END\n", d->i);
	for (size_t k = 0; k < strip->n; k++)
		if (isnan(strip->v[k].lo))
			putc('\n', to);
		else
			fprintf(to, "%.9g %.9g %.9g\n", axes_coordinate(d->p->x, strip->v[k].x),
				strip->v[k].lo, strip->v[k].hi);
	fputs(strip->n ? "END\n" : "", to);
}

/*
 * Writes the name of a preset beside the preset's highest point, where a curve that rises and then
 * flattens leaves room. In a drawing, also puts a ring around each point of the preset.
 */
static void put_preset_name(FILE *to, const struct drawing *d, const struct plot_point *p)
{
	const struct axis *x = d->p->x;
	bool text = d->c->text, right = axes_distance_share(x, x->lo,
							    axes_coordinate(x, p->x)) > 0.5;
	const struct plot_point *top = NULL;

	for (size_t i = 0; i < d->p->nseries; i++) {
		for (size_t k = 0; k < d->p->series[i]->n; k++) {
			const struct plot_point *q = &d->p->series[i]->p[k];

			if (q->preset == p->preset && (!top || q->y > top->y))
				top = q;
		}
	}
	fprintf(to, "set label %s at %.9g,%.9g %s front",
		quoted(top == p ? p->preset : "", d->c->width).s,
		shift_right(x, axes_coordinate(x, p->x), mark_offset(d)), p->y,
		right ? text ? "right offset 0,1" : "right offset 0,0.9"
		      : text ? "left offset 0,1" : "left offset 1,-0.7");
	if (!text)
		fprintf(to, " point pointtype 6 pointsize %.3g linecolor rgb '%s'",
			2.2 * d->c->scale, d->colour);
	putc('\n', to);
}

/* ---- drawings ---- */

static void put_title(FILE *to, const struct drawing *d, bool wanted)
{
	if (wanted && d->p->keyed)
		fprintf(to, " title %s", quoted(d->s->label.s, d->at->key_width).s);
	else
		fputs(" notitle", to);
}

/*
 * Writes the command part that draws the curve of a series. The entry in the legend shows the line
 * or, on a text canvas, the letter.
 */
static void draw_curve(FILE *to, const struct drawing *d)
{
	if (d->s->style != STYLE_CURVE)
		return;
	fprintf(to, "  $lines%zu using 1:2 with lines", d->i);
	if (d->c->text)
		fprintf(to, " linetype %zu", d->i + 1);
	else
		fprintf(to, " linewidth 1.8 dashtype %d linecolor rgb '%s'", d->dash, d->colour);
	put_title(to, d, !d->c->text);
	fputs(", \\\n", to);
}

/*
 * Writes the command part that draws the points of a series. Steps differ in colour and dashes, as
 * computed series do.
 */
static void draw_points(FILE *to, const struct drawing *d)
{
	static const char *const how[] = {
		[STYLE_MARKS] = "points", [STYLE_CURVE] = "points",
		[STYLE_JOINED] = "linespoints", [STYLE_STEPS] = "steps",
	};
	enum series_style style = d->s->style;
	size_t look = d->s->look;

	fprintf(to, "  $points%zu using %s:%s with %s", d->i, d->x.s,
		d->p->y->scale == SCALE_NINES ? "(nines($2))" : "2", how[style]);
	if (d->c->text && style != STYLE_STEPS)
		fprintf(to, " pointtype %zu", d->i + 1);
	else if (!d->c->text && style == STYLE_STEPS)
		fprintf(to, " linewidth 2 dashtype %d linecolor rgb '%s'",
			dashes[look / LENGTH(colours) % LENGTH(dashes)], d->colour);
	else if (!d->c->text)
		fprintf(to, " pointtype %d pointsize %.3g linewidth 1.8 dashtype %d linecolor "
			"rgb '%s'", d->s->shape ? verdicts[d->s->shape - 1].mark
						: marks[look % LENGTH(marks)],
			(style == STYLE_MARKS ? 1.1 : 0.7) * d->c->scale,
			style == STYLE_JOINED ? d->dash : 1, d->colour);
	put_title(to, d, d->c->text || style != STYLE_CURVE);
	fputs(d->i + 1 < d->p->nseries ? ", \\\n" : "\n", to);
}

/* Writes the data of a series. Returns how the series is drawn. */
static struct drawing put_data(FILE *to, const struct chart_panel *p, size_t i,
			       const struct slot *at, const struct canvas *c)
{
	const struct trace *s = p->series[i];
	struct drawing d = {
		.p = p, .c = c, .at = at, .s = s, .i = i, .x = text_from("1"),
		.colour = s->hue ? verdicts[s->hue - 1].colour
				 : colours[s->look % LENGTH(colours)],
		.dash = dashes[(s->look + s->look / LENGTH(colours)) % LENGTH(dashes)],
	};

	if (p->aside > 0)
		d.x = shifted_column(p->x, mark_offset(&d));
	for (size_t k = 0; k < s->n && p->ringed; k++) {
		const struct plot_point *q = &s->p[k];

		/* gnuplot would draw labels even beyond the axes */
		if (q->preset && !axis_excludes(p->x, q->x) && !axis_excludes(p->y, q->y))
			put_preset_name(to, &d, q);
	}
	put_points(to, &d);
	put_line_points(to, &d, "lines", &s->curve);
	put_line_points(to, &d, "fit", &s->fit);
	put_strip(to, &d, &s->interval);
	return d;
}

/*
 * Draws boxes, strips, fits and bars first, so that points are above them. On a text canvas letters
 * are above lines.
 */
void panel_put(FILE *to, const struct chart_panel *p, const struct slot *at, const struct canvas *c)
{
	struct drawing d[SERIES_LETTERS];

	if (p->y->scale == SCALE_NINES)
		fprintf(to, "nines(p) = p < 100 ? -log10(1 - p / 100.0) : %.9g\n", p->y->hi);
	for (size_t i = 0; i < p->nseries; i++)
		d[i] = put_data(to, p, i, at, c);
	fputs("plot \\\n", to);
	/* boxes from the median to the 90th percentile, and lighter boxes on to the 99th */
	for (size_t i = 0; i < p->nseries; i++)
		for (int k = 0; k < 2 && d[i].boxes; k++)
			fprintf(to, "  $points%zu using 1:%d:%s:%s:2:%d with boxxyerror fillstyle "
				"transparent solid %s noborder linecolor rgb '%s' notitle, \\\n", i,
				5 + k, shifted_column(p->x, mark_offset(&d[i]) - BOX).s,
				shifted_column(p->x, mark_offset(&d[i]) + BOX).s, 5 + k,
				k ? "0.18" : "0.45", d[i].colour);
	for (size_t i = 0; i < p->nseries && !c->text; i++)
		if (d[i].s->interval.n)
			fprintf(to, "  $strip%zu using 1:2:3 with filledcurves fillstyle "
				"transparent solid 0.2 noborder linecolor rgb '%s' notitle, "
				"\\\n", i, d[i].colour);
	for (size_t i = 0; i < p->nseries; i++)
		if (d[i].s->fit.n)
			fprintf(to, "  $fit%zu using 1:2 with lines linewidth 1.4 "
				"linecolor rgb '%s' notitle, \\\n", i, d[i].colour);
	/*
	 * Bars are arrows with flat heads. The white around the points would hide short error bars
	 * of gnuplot.
	 */
	for (size_t i = 0; i < p->nseries; i++) {
		if (!d[i].bars)
			continue;
		fprintf(to, "  $points%zu using %s:3:(0):($4-$3) with vectors ", i, d[i].x.s);
		if (c->text)
			fputs("nohead linetype 0 notitle, \\\n", to);
		else
			fprintf(to, "heads size screen 0.004,90 linewidth 1.6 linecolor rgb '%s' "
				"notitle, \\\n", d[i].colour);
	}
	for (size_t i = 0; i < p->nseries && c->text; i++)
		draw_curve(to, &d[i]);
	for (size_t i = 0; i < p->nseries; i++) {
		if (!c->text)
			draw_curve(to, &d[i]);
		draw_points(to, &d[i]);
	}
}
