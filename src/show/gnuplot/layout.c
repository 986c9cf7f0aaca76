/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places a chart on a canvas. From top to bottom, a chart has a title, rows of panels, and a
 * caption. From top to bottom, a panel has a title, a legend, the name of y, the axes, tics, and
 * the name of x.
 */
#include "show/gnuplot/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/values.h"
#include "show/chart/lines.h"
#include "show/gnuplot/heat.h"

/* Height of a line of text and width of a character, in pixels at scale 1. */
#define LINE 16.0
#define CHARACTER 7.2

/* The default size of a page with several panels, and its numbers of panels side by side. */
#define PAGE_WIDTH 1280
#define PAGE_HEIGHT 900
#define COLUMNS_USUAL 3
#define COLUMNS_MOST 4

/* The smallest scale of letters on a page of fixed size. */
#define LEAST 0.6

/* Room for the sample line of an entry of the legend, in characters. */
#define KEY_SAMPLE 8

/*
 * A plot is at least KEY_MORE lines higher than its legend. In a lower plot gnuplot would split the
 * legend into more columns, which do not fit.
 */
#define KEY_MORE 2

static size_t widest_label(const struct chart_panel *p)
{
	size_t widest = 1;

	for (size_t i = 0; i < p->nseries; i++) {
		size_t width = utf8_width(p->series[i]->label.s);

		widest = width > widest ? width : widest;
	}
	return widest;
}

/* ---- columns of panels ---- */

/* Returns the number of consecutive panels, from the i-th on, that belong to the same picture. */
static size_t group_size(const struct chart *chart, size_t i)
{
	size_t n = 0;

	while (i + n < chart->n && chart->panels[i + n].group == chart->panels[i].group)
		n++;
	return n;
}

/*
 * Returns the number of panels side by side. The number depends on the groups of panels or on the
 * fixed size, and leaves room for the legends.
 */
static size_t choose_columns(const struct chart *chart, const struct layout *l)
{
	const struct canvas *c = l->c;
	/* maps stand side by side, unless the canvas is narrow, or is higher than it is wide */
	bool beside = c->text ? c->width >= 34 * chart->n : !c->fixed || c->width > c->height;
	size_t n = 1, most;
	double least = 1;

	if (chart->panels[0].map)
		return beside ? chart->n : 1;
	if (c->text)
		return 1;
	for (size_t i = 0; i < chart->n; i++)
		n = group_size(chart, i) > n ? group_size(chart, i) : n;
	n = n > COLUMNS_MOST ? COLUMNS_USUAL : n > COLUMNS_USUAL ? n : COLUMNS_USUAL;
	if (c->fixed)
		n = (size_t)ceil(sqrt((double)chart->n * c->width / c->height));
	for (size_t i = 0; i < chart->n; i++)
		if (chart->panels[i].keyed)
			least = fmax(least, (double)(widest_label(&chart->panels[i]) +
						     KEY_SAMPLE + 4) * l->character);
	most = (size_t)(c->width / least);
	n = n < chart->n ? n : chart->n;
	return n < most ? n : most ? most : 1;
}

/* ---- rows of panels ---- */

/*
 * Returns the number of lines of a panel above its axes. Sets the rows and the width of its legend.
 */
static double count_lines_above(struct slot *at, const struct chart_panel *p,
				const struct layout *l)
{
	size_t columns = (size_t)fmax(at->width / l->character - 3, KEY_SAMPLE + 1);
	size_t widest = widest_label(p), most = columns - KEY_SAMPLE;

	at->key_width = widest < most ? widest : most;
	most = columns / (at->key_width + KEY_SAMPLE);
	at->key_rows = p->keyed ? (p->nseries + most - 1) / most : 0;
	return (p->title.n ? 1 : 0) + (double)at->key_rows + (l->line > 1 ? 2 : 1.2);
}

/*
 * Places the panels in columns and rows. All panels have the height that the highest one needs. A
 * group of panels begins a new row unless it fits into the current row. Returns the height of all
 * rows in lines.
 */
static double place_panels(struct layout *l, const struct chart *chart, double more, size_t *nrows)
{
	static const double usual[] = { 26, 12, 12 }, least[] = { 11, 6, 6 };
	const struct canvas *c = l->c;
	size_t columns = choose_columns(chart, l), place = 0;
	/* height of the axes in lines: for one panel, for several, for characters */
	double between = (c->fixed ? least : usual)[c->text ? 2 : chart->n > 1] + more;
	double above = 0, below = c->text ? 2.5 : 3, height = 0;

	for (size_t i = 0; i < chart->n; i++, place++) {
		const struct chart_panel *p = &chart->panels[i];
		size_t group = group_size(chart, i);
		struct slot *at = &l->at[i];

		if (i && p->group != p[-1].group && group > 1 && place % columns + group > columns)
			place += (columns - place % columns) % columns;
		at->width = floor(c->width / (double)columns);
		at->left = at->width * (double)(place % columns);
		/* a row number here; converted below when the height is known */
		at->top = (double)(place / columns);
		above = fmax(above, count_lines_above(at, p, l));
		height = fmax(height, p->map ? heat_height(p, at->width, l) + more
					     : fmax(between, (double)at->key_rows + KEY_MORE));
	}
	height += chart->panels[0].map ? 0 : above + below;
	height = c->text ? floor(height) : height; /* a text panel has whole rows of characters */
	*nrows = (place + columns - 1) / columns;
	for (size_t i = 0; i < chart->n; i++) {
		struct slot *at = &l->at[i];

		at->top *= height * l->line;
		at->height = height * l->line;
		at->above = above * l->line;
		at->below = below * l->line;
	}
	return height * (double)*nrows;
}

/* ---- the chart ---- */

/*
 * Returns the number of lines that the text, the panels and the space between them need beyond the
 * height of the canvas.
 */
static double count_lacking_lines(const struct chart *chart, const struct layout *l, double rows)
{
	return (double)(chart->head.n + chart->foot.n) + (l->c->text ? 1 : 1.5) + rows -
	       l->c->height / l->line;
}

/*
 * Places all parts. If a picture of fixed size is too small, cuts off the end of its caption.
 * Returns the number of lines that do not fit; at most 0 if all fit.
 */
static double place_all(struct layout *l, struct chart *chart, struct canvas *c)
{
	size_t nrows, dropped;
	double rows, lacking;

	*l = (struct layout){ .c = c, .line = c->text ? 1 : LINE * c->scale,
			      .character = c->text ? 1 : CHARACTER * c->scale };
	l->columns = c->text ? c->width - 2 : (size_t)(c->width / l->character) - 3;
	l->at = memory_new(chart->n, sizeof(*l->at));
	lines_wrap(&chart->head, l->columns);
	lines_wrap(&chart->foot, l->columns);
	rows = place_panels(l, chart, 0, &nrows);
	lacking = count_lacking_lines(chart, l, rows);
	dropped = (size_t)fmax(0, ceil(lacking) + 1);
	if (c->fixed && lacking > 0 && dropped <= chart->foot.n) {
		for (size_t i = 0; i < dropped; i++)
			free(chart->foot.v[--chart->foot.n].text);
		lines_add(&chart->foot, LINE_ALARM, "%zu lines have no room in %ux%u: see '--size'",
			  dropped, c->width, c->height);
		lacking = count_lacking_lines(chart, l, rows);
	}
	if (lacking > 0 && !c->fixed && c->height + lacking * l->line < CANVAS_MOST) {
		c->height += (unsigned)ceil(lacking * l->line);
		lacking = 0;
	}
	place_panels(l, chart, fmax(0, -lacking / (double)nrows), &nrows);
	for (size_t i = 0; i < chart->n; i++)
		l->at[i].top += l->line * ((double)chart->head.n + (c->text ? 0 : 0.7));
	return lacking;
}

static int report_no_room(const struct chart *chart, const struct canvas *c)
{
	if (chart->panels[0].map)
		return error_usage("no room in %ux%u for %zu heat map%s with text: see '--size' "
				   "and '--column'", c->width, c->height, chart->n,
				   chart->n == 1 ? "" : "s");
	return error_usage("no room in %ux%u for %zu panel%s with %s text: see '--size'%s "
			   "'--where'%s", c->width, c->height, chart->n, chart->n == 1 ? "" : "s",
			   chart->n == 1 ? "its" : "their", chart->benchmark ? " and" : ",",
			   chart->benchmark ? "" : " and '--separate'");
}

/*
 * A page with several panels is wider. On a page of fixed size, letters are as large as possible.
 */
int layout_make(struct layout *l, struct chart *chart, struct canvas *c)
{
	bool page = chart->n > 1 && !c->text && !chart->panels[0].map;

	if (page && c->fixed)
		c->scale = fmax(LEAST, fmin(c->width / (double)PAGE_WIDTH,
					    c->height / (double)PAGE_HEIGHT));
	else if (page)
		c->width = PAGE_WIDTH;
	while (place_all(l, chart, c) > 0) {
		if (!page || !c->fixed || c->scale <= LEAST)
			return report_no_room(chart, c);
		layout_free(l);
		c->scale = fmax(LEAST, 0.9 * c->scale);
	}
	return ST_OK;
}

void layout_free(struct layout *l)
{
	free(l->at);
}
