/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "show/chart/axes.h"
#include "show/chart/lines.h"
#include "show/gnuplot/quote.h"

/* An axis has tics at its values unless so many times more have no labels. */
#define VALUES_MOST 1.6

/* Characters between the labels of tics. */
#define TIC_SPACE 2

/* Below so many decades a logarithmic axis has tics at 1, 2, 5, below so many at equal steps. */
#define DECADES_FEW 2
#define DECADES_LINEAR 0.8

void frame_text(FILE *to, const struct canvas *c, double left, double top, const char *text,
		size_t width, const char *how)
{
	fputs("set label ", to);
	quote_put(to, text, width);
	fprintf(to, " at screen %.5f, screen %.5f %s\n", left / c->width, 1 - top / c->height, how);
}

const char *frame_bold(const struct canvas *c)
{
	/* gnuplot's SVG takes a style of letters for the name of a font, as it stands */
	return c->text ? "left" : strcmp(c->terminal, "svg")
	       ? "left font ':Bold'" : "left font 'sans\" font-weight=\"bold'";
}

/* ---- tics ---- */

static double span(const struct axis *a)
{
	return log10(a->hi / a->lo);
}

static void put_format(FILE *to, const char *axis, const struct axis *a)
{
	double step = (a->hi - a->lo) / 5, prefix = pow(1000, floor(log10(a->hi) / 3));
	bool fine = a->scale != SCALE_LOG && step < 2 * prefix;

	fprintf(to, "set format %s ", axis);
	if (!*a->unit)
		fputs("'%g'", to);
	else if (!strcmp(a->unit, "%"))
		fputs("'%g %%'", to);
	else
		quote_format(to, step < 0.2 * prefix && fine ? "%.2s %c" : fine ? "%.1s %c"
							     : "%.0s %c", a->unit);
	fputs("\n", to);
}

static void put_tic(FILE *to, const char *axis, double at, const char *text)
{
	fprintf(to, "set %stics add (", axis);
	quote_format(to, "", text);
	fprintf(to, " %.9g)\n", at);
}

static void put_number(FILE *to, const char *axis, const struct axis *a, double value)
{
	put_tic(to, axis, axes_place(a, value), axes_number(value, a->unit).s);
}

static double nice(double step)
{
	double power = pow(10, floor(log10(step)));

	return (step <= power ? 1 : step <= 2 * power ? 2 : step <= 5 * power ? 5 : 10) * power;
}

/* What gnuplot leaves without tics: a few decades, or less than one. */
static void put_decimals(FILE *to, const char *axis, const struct axis *a)
{
	static const double digits[] = { 1, 2, 5 };
	double step = nice((a->hi - a->lo) / 8);

	if (span(a) < DECADES_LINEAR) {
		for (int i = 0; (ceil(a->lo / step) + i) * step <= a->hi && i < 10; i++)
			put_number(to, axis, a, (ceil(a->lo / step) + i) * step);
		return;
	}
	for (double e = floor(log10(a->lo)); e <= log10(a->hi); e++)
		for (size_t i = 0; i < LENGTH(digits); i++)
			put_number(to, axis, a, digits[i] * pow(10, e));
}

/* How many labels have room along a share of an axis. */
static double room(const struct axis *a, double from, double to, double most)
{
	return fabs(axes_share_of(a, axes_place(a, from), axes_place(a, to))) * most;
}

/* Tics at the values that there are, with labels where there is room. */
static void put_values(FILE *to, const struct axis *x, double most)
{
	double last = NAN;

	for (size_t i = 0; i < x->nvalues; i++) {
		bool has_room = isnan(last) || room(x, last, x->values[i], most) > 1;

		if (has_room)
			put_number(to, "x", x, x->values[i]);
		last = has_room ? x->values[i] : last;
	}
}

/* Powers of two, as far apart as there is room for. */
static void put_binary(FILE *to, const struct axis *x, double most)
{
	double first = fmax(0, ceil(log2(x->broken ? x->gap : x->lo))), step = 1;

	while (room(x, 1, exp2(step), most) < 1)
		step = step == 2 ? 5 : 2 * step;
	first = step * ceil(first / step);
	for (double e = first; e <= log2(x->hi); e += step)
		put_number(to, "x", x, exp2(e));
	if (x->broken)
		put_number(to, "x", x, 0);
}

static void put_names(FILE *to, const struct axis *x, double wide)
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

/* True if tics stand at the values that there are: most have room for labels. */
static bool has_value_tics(const struct axis *x, double most)
{
	return x->nvalues && (double)x->nvalues <= VALUES_MOST * most;
}

static void put_x(FILE *to, const struct axis *x, double wide)
{
	bool bytes = !strcmp(x->unit, "B") && x->scale == SCALE_LOG;
	double most = wide / (TIC_SPACE + 8);
	bool few = x->scale == SCALE_LOG && span(x) < DECADES_FEW;

	fprintf(to, "set xtics nomirror%s\n", x->scale == SCALE_NAMES || bytes || few ||
		has_value_tics(x, most) ? " ()" : x->whole && x->hi - x->lo < 10 ? " 1" : "");
	put_range(to, 'x', x);
	put_format(to, "x", x);
	if (x->scale == SCALE_NAMES)
		put_names(to, x, wide);
	else if (has_value_tics(x, most))
		put_values(to, x, most);
	else if (bytes)
		put_binary(to, x, most);
	else if (few)
		put_decimals(to, "x", x);
}

/* Shares that a distribution of so many samples tells apart. */
static void put_nines(FILE *to, const struct axis *y)
{
	static const double shares[] = { 0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999 };

	for (size_t i = 0; i < LENGTH(shares); i++)
		if (axes_place(y, shares[i]) < y->hi)
			put_number(to, "y", y, shares[i]);
	if (!(y->to < 100))
		put_number(to, "y", y, 100);
}

void frame_tics(FILE *to, const char *axis, const struct axis *a)
{
	bool own = a->scale == SCALE_NINES || (a->scale == SCALE_LOG && span(a) < DECADES_FEW);

	fprintf(to, "set %stics nomirror%s\n", axis, own ? " ()" : "");
	put_format(to, axis, a);
	if (a->scale == SCALE_NINES)
		put_nines(to, a);
	else if (own)
		put_decimals(to, axis, a);
}

/* ---- lines across ---- */

/* Marks the break between 0 and the logarithmic scale. */
static void put_break(FILE *to, const struct axis *x, const struct canvas *c)
{
	double at = axes_share_of(x, x->lo, x->gap);

	if (!c->text)
		fprintf(to, "set arrow from graph %.5f, graph 0 to graph %.5f, graph 1 nohead "
			"dashtype 2 linecolor rgb '#909090'\n", at, at);
	fprintf(to, "set label '//' at graph %.5f, graph 0 center front\n", at);
}

/* Lines at values of y with their labels, and what is shaded. */
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
		double at = axes_place(p->y, p->rules[i].at);

		if (!(at >= p->y->lo && at <= p->y->hi))
			continue;
		fprintf(to, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead%s\n",
			at, at, c->text ? "" : " back linewidth 1.6 linecolor rgb '#404040'");
		if (!p->rules[i].label)
			continue;
		fputs("set label ", to);
		quote_put(to, p->rules[i].label, (size_t)(c->width / 2));
		fprintf(to, " at graph 0.01, first %.9g left offset 0,%s front\n", at,
			c->text ? "1" : "0.5");
	}
}

/* ---- the frame ---- */

/* Title and legend from the top of the panel, names of the axes beside these. */
static void put_texts(FILE *to, const struct chart_panel *p, const struct slot *at,
		      const struct layout *l, const struct canvas *c)
{
	double left = at->left + (c->text ? 1 : 10 * c->scale), top = at->top;
	size_t wide = (size_t)(at->width / l->character);

	if (p->title.n) {
		frame_text(to, c, left, top + 0.5 * l->line, p->title.s, wide, frame_bold(c));
		top += l->line;
	}
	/* in characters gnuplot leaves a row above it free */
	fprintf(to, "set key at screen %.5f, screen %.5f left top Left reverse vertical "
		"maxrows %zu samplen %d width %d\n", left / c->width,
		1 - (top - (c->text ? 1 : 0)) / c->height, at->key_rows, c->text ? 1 : 2,
		c->text ? 0 : 1);
	frame_text(to, c, left, at->top + at->above - l->line * (c->text ? 0.7 : 0.9),
		   p->y->words.s, wide, "left");
	fputs("set label ", to);
	quote_put(to, p->x->words.s, wide);
	fprintf(to, " at graph 0.5, screen %.5f center\n",
		1 - (at->top + at->height - at->below + l->line * (c->text ? 2 : 2.2)) /
		c->height);
}

void frame_put(FILE *to, const struct chart_panel *p, const struct slot *at, const struct layout *l,
	       const struct canvas *c)
{
	fprintf(to, "set origin %.5f, 0\nset size %.5f, 1\nset rmargin %d\n"
		"set tmargin at screen %.5f\nset bmargin at screen %.5f\nset border 3\n",
		at->left / c->width, at->width / c->width, c->text ? 4 : 4,
		1 - (at->top + at->above) / c->height,
		1 - (at->top + at->height - at->below) / c->height);
	if (!c->text)
		fputs("set grid xtics ytics linetype 1 linewidth 0.6 linecolor rgb '#D8D8D8'\n",
		      to);
	put_texts(to, p, at, l, c);
	put_x(to, p->x, at->width / l->character - 10);
	put_range(to, 'y', p->y);
	frame_tics(to, "y", p->y);
	if (p->x->broken)
		put_break(to, p->x, c);
	put_rules(to, p, c);
}
