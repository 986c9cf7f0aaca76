/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "show/chart/axes.h"
#include "show/chart/lines.h"
#include "show/gnuplot/quote.h"

/*
 * Tics are at the values themselves, unless the number of values exceeds this multiple of the
 * number of labels that fit.
 */
#define VALUES_MOST 1.6

/* Space between the labels of tics, in characters. */
#define TIC_SPACE 2

/* A logarithmic axis of fewer than DECADES_FEW decades has tics at 1, 2, 5. */
#define DECADES_FEW 2

void frame_text(FILE *to, const struct canvas *c, double left, double top, const char *text,
		size_t width, const char *how)
{
	fprintf(to, "set label %s at screen %.5f, screen %.5f %s\n", quoted(text, width).s,
		left / c->width, 1 - top / c->height, how);
}

const char *frame_bold_style(const struct canvas *c)
{
	/* gnuplot copies the font's name into an SVG unchanged, so a style can follow the name */
	return c->text ? "left" : strcmp(c->terminal, "svg")
	       ? "left font ':Bold'" : "left font 'sans\" font-weight=\"bold'";
}

/* ---- tics ---- */

static double count_decades(const struct axis *a)
{
	return log10(a->hi / a->lo);
}

/* Writes the number format of an axis, with as many decimals as its steps need. */
static void put_format(FILE *to, const char *axis, const struct axis *a)
{
	double step = (a->hi - a->lo) / 5, prefix = pow(1000, floor(log10(a->hi) / 3));
	bool fine = a->scale != SCALE_LOG && step < 2 * prefix;
	const char *format = step < 0.2 * prefix && fine ? "%.2s %c" : fine ? "%.1s %c" : "%.0s %c";

	fprintf(to, "set format %s %s\n", axis,
		!*a->unit ? "'%g'" : !strcmp(a->unit, "%") ? "'%g %%'"
						     : quoted_format(format, a->unit).s);
}

static void put_tic(FILE *to, const char *axis, double at, const char *text)
{
	fprintf(to, "set %stics add (%s %.9g)\n", axis, quoted_format("", text).s, at);
}

static void put_number_tic(FILE *to, const char *axis, const struct axis *a, double value)
{
	put_tic(to, axis, axes_coordinate(a, value), axes_format_number(value, a->unit).s);
}

/* Writes tics at 1, 2, 5 of each decade. gnuplot would otherwise set only one or two tics. */
static void put_decimal_tics(FILE *to, const char *axis, const struct axis *a)
{
	static const double digits[] = { 1, 2, 5 };

	for (double e = floor(log10(a->lo)); e <= log10(a->hi); e++)
		for (size_t i = 0; i < LENGTH(digits); i++)
			put_number_tic(to, axis, a, digits[i] * pow(10, e));
}

/*
 * Returns the number of labels that fit between the values `from` and `to`. The whole axis has room
 * for `most` labels.
 */
static double count_fitting_labels(const struct axis *a, double from, double to, double most)
{
	return fabs(axes_distance_share(a, axes_coordinate(a, from),
					axes_coordinate(a, to))) * most;
}

/* Writes tics at powers of two, as many as have room for labels. */
static void put_binary_tics(FILE *to, const struct axis *x, double most)
{
	double first = fmax(0, ceil(log2(x->broken ? x->gap : x->lo))), step = 1;

	while (count_fitting_labels(x, 1, exp2(step), most) < 1)
		step = step == 2 ? 5 : 2 * step;
	first = step * ceil(first / step);
	for (double e = first; e <= log2(x->hi); e += step)
		put_number_tic(to, "x", x, exp2(e));
	if (x->broken)
		put_number_tic(to, "x", x, 0);
}

/* Writes the names as tics. If they are too wide, it writes only every second, third, ... name. */
static void put_name_tics(FILE *to, const struct axis *x, double wide)
{
	size_t widest = 1, i = 0, step;
	const char *name;
	json_t *place;

	json_object_foreach(x->names, name, place)
		widest = utf8_width(name) > widest ? utf8_width(name) : widest;
	widest = widest < 32 ? widest : 32;
	step = (size_t)ceil((double)((widest + 1) * json_object_size(x->names)) / wide);
	json_object_foreach(x->names, name, place)
		if (i++ % step == 0)
			put_tic(to, "x", json_number_value(place), name);
}

static void put_range(FILE *to, char name, const struct axis *a)
{
	fprintf(to, "set %crange [%.9g:%.9g]\n%sset logscale %c\n", name, a->lo, a->hi,
		a->scale == SCALE_LOG ? "" : "un", name);
}

/*
 * Writes the range and the tics of the x axis. The tics are at its values if the labels of most
 * values fit.
 */
static void put_x_axis(FILE *to, const struct axis *x, double wide)
{
	bool bytes = !strcmp(x->unit, "B") && x->scale == SCALE_LOG;
	double most = wide / (TIC_SPACE + 8), last = NAN;
	bool few = x->scale == SCALE_LOG && count_decades(x) < DECADES_FEW;
	bool values = x->nvalues && (double)x->nvalues <= VALUES_MOST * most;

	fprintf(to, "set xtics nomirror%s\n", x->scale == SCALE_NAMES || bytes || few || values
		? " ()" : x->whole && x->hi - x->lo < 10 ? " 1" : "");
	put_range(to, 'x', x);
	put_format(to, "x", x);
	if (x->scale == SCALE_NAMES)
		put_name_tics(to, x, wide);
	else if (!values && bytes)
		put_binary_tics(to, x, most);
	else if (!values && few)
		put_decimal_tics(to, "x", x);
	for (size_t i = 0; values && x->scale != SCALE_NAMES && i < x->nvalues; i++) {
		if (count_fitting_labels(x, last, x->values[i], most) <= 1)
			continue;
		put_number_tic(to, "x", x, x->values[i]);
		last = x->values[i];
	}
}

void frame_tics(FILE *to, const char *axis, const struct axis *a)
{
	/* shares of a distribution that get a label, up to the last one below 100 % */
	static const double shares[] = { 0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999 };
	bool few = a->scale == SCALE_LOG && count_decades(a) < DECADES_FEW;
	bool own = a->scale == SCALE_NINES || few;

	fprintf(to, "set %stics nomirror%s\n", axis, own ? " ()" : "");
	put_format(to, axis, a);
	if (few)
		put_decimal_tics(to, axis, a);
	for (size_t i = 0; a->scale == SCALE_NINES && i < LENGTH(shares); i++)
		if (axes_coordinate(a, shares[i]) < a->hi)
			put_number_tic(to, axis, a, shares[i]);
	if (a->scale == SCALE_NINES && !(a->to < 100))
		put_number_tic(to, axis, a, 100);
}

/* ---- lines across ---- */

/* Writes the horizontal lines of the panel with their labels, and the shaded bands. */
static void put_rules(FILE *to, const struct chart_panel *p, const struct canvas *c)
{
	for (size_t i = 0; i < p->nbands; i++)
		if (c->text)
			fprintf(to, "set arrow from graph 0, first %.9g to graph 1, first %.9g "
				"nohead\n", p->bands[i].from, p->bands[i].from);
		else
			fprintf(to, "set object rectangle from graph 0, first %.9g to graph 1, "
				"graph %d behind fillcolor rgb '#D55E00' "
				"fillstyle transparent solid 0.12 noborder\n", p->bands[i].from,
				p->bands[i].above);
	for (size_t i = 0; i < p->nrules; i++) {
		const struct rule *rule = &p->rules[i];
		double at = axes_coordinate(p->y, rule->at);

		if (!(at >= p->y->lo && at <= p->y->hi))
			continue;
		fprintf(to, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead%s\n",
			at, at, c->text ? "" : " back linewidth 1.6 linecolor rgb '#404040'");
		if (rule->label)
			fprintf(to, "set label %s at graph 0.01, first %.9g left offset 0,%s "
				"front\n", quoted(rule->label, c->width / 2).s, at,
				c->text ? "1" : "0.5");
	}
}

/* ---- the frame ---- */

/* Writes the title and the legend at the top of the panel, and the names of the axes. */
static void put_texts(FILE *to, const struct chart_panel *p, const struct slot *at,
		      const struct layout *l)
{
	const struct canvas *c = l->c;
	double left = at->left + (c->text ? 1 : 10 * c->scale), top = at->top;
	double bottom = at->top + at->height - at->below;
	size_t wide = (size_t)(at->width / l->character);

	if (p->title.n) {
		frame_text(to, c, left, top + 0.5 * l->line, p->title.s, wide, frame_bold_style(c));
		top += l->line;
	}
	/* gnuplot's text terminal leaves a row above the legend empty */
	fprintf(to, "set key at screen %.5f, screen %.5f left top Left reverse vertical "
		"maxrows %zu samplen %d width %d\n", left / c->width,
		1 - (top - (c->text ? 1 : 0)) / c->height, at->key_rows, c->text ? 1 : 2,
		c->text ? 0 : 1);
	frame_text(to, c, left, at->top + at->above - l->line * (c->text ? 0.7 : 0.9),
		   p->y->words.s, wide, "left");
	fprintf(to, "set label %s at graph 0.5, screen %.5f center\n",
		quoted(p->x->words.s, wide).s,
		1 - (bottom + l->line * (c->text ? 2 : 2.2)) / c->height);
}

void frame_put(FILE *to, const struct chart_panel *p, const struct slot *at,
	       const struct layout *l)
{
	const struct canvas *c = l->c;
	double gap = axes_distance_share(p->x, p->x->lo, p->x->gap);

	fprintf(to, "set origin %.5f, 0\nset size %.5f, 1\nset rmargin 4\n"
		"set tmargin at screen %.5f\nset bmargin at screen %.5f\nset border 3\n",
		at->left / c->width, at->width / c->width,
		1 - (at->top + at->above) / c->height,
		1 - (at->top + at->height - at->below) / c->height);
	if (!c->text)
		fputs("set grid xtics ytics linetype 1 linewidth 0.6 linecolor rgb '#D8D8D8'\n",
		      to);
	put_texts(to, p, at, l);
	put_x_axis(to, p->x, at->width / l->character - 10);
	put_range(to, 'y', p->y);
	frame_tics(to, "y", p->y);
	/* draw the break between 0 and the logarithmic scale */
	if (p->x->broken && !c->text)
		fprintf(to, "set arrow from graph %.5f, graph 0 to graph %.5f, graph 1 nohead "
			"dashtype 2 linecolor rgb '#909090'\n", gap, gap);
	if (p->x->broken)
		fprintf(to, "set label '//' at graph %.5f, graph 0 center front\n", gap);
	put_rules(to, p, c);
}
