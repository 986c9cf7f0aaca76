/* SPDX-License-Identifier: Apache-2.0 */
#include "show/history/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "show/chart/chart.h"
#include "show/chart/lines.h"
#include "show/svg.h"

#define MARGIN 0.04 /* space at each end of an axis, as a share of the range of its values */

/* The panels of a picture, with the axes and series to which the panels point. */
struct trend_picture {
	struct chart_panel panel[TREND_PANELS];
	struct axis x[TREND_PANELS], y[TREND_PANELS];
	struct trace trace[TREND_PANELS * CURVES_SERIES];
	size_t n; /* number of panels */
};

static void include_value(struct axis *a, double value)
{
	a->lo = fmin(a->lo, value); /* if a->lo is NaN, fmin returns `value` */
	a->hi = fmax(a->hi, value);
}

static void widen_axis(struct axis *a)
{
	double by = a->hi > a->lo ? MARGIN * (a->hi - a->lo) : MARGIN;

	a->lo -= by;
	a->hi += by;
}

/* Adds a point for each night of a curve, and extends the ranges of the axes. */
static void put_nights(struct trace *s, const struct curve *c, struct axis *x, struct axis *y)
{
	s->p = memory_new(c->n, sizeof(*s->p));
	for (; s->n < c->n; s->n++) {
		const struct curve_night *night = &c->at[s->n];

		s->p[s->n] = (struct plot_point){ .x = night->days, .y = night->cost,
						  .lo = night->lo, .hi = night->hi, .p90 = NAN,
						  .p99 = NAN, .fit = NAN };
		include_value(x, night->days);
		include_value(y, night->cost);
		include_value(y, night->lo);
		include_value(y, night->hi);
	}
}

/*
 * Adds horizontal lines with a gap at each change. Between two changes the line is at the median of
 * the nights, in a strip that is its interval.
 */
static void put_level_lines(struct trace *s, const struct curve *c)
{
	const struct strip_edge gap = { NAN, NAN, NAN };

	s->fit.v = memory_new(2 * c->n, sizeof(*s->fit.v));
	s->interval.v = memory_new(2 * c->n, sizeof(*s->interval.v));
	for (size_t i = 0; i < c->n; i++) {
		const struct curve_night *night = &c->at[i];

		if (i && night->changes != c->at[i - 1].changes) {
			s->fit.v[s->fit.n++] = (struct spot){ NAN, NAN };
			s->interval.v[s->interval.n++] = gap;
		}
		s->fit.v[s->fit.n++] = (struct spot){ night->days, night->level };
		s->interval.v[s->interval.n++] = (struct strip_edge){
			night->days, night->level_lo, night->level_hi };
	}
}

static struct axis make_axis(struct text words)
{
	return (struct axis){ .column = "", .unit = "", .words = words, .factor = 1, .lo = NAN,
			      .hi = NAN, .from = NAN, .to = NAN, .scale = SCALE_LINEAR };
}

/* Adds a panel for the series of a curve. The axes of the panel have no range yet. */
static void add_panel(struct trend_picture *pic, const struct curve *c)
{
	struct axis *x = &pic->x[pic->n], *y = &pic->y[pic->n];

	*x = make_axis(text_from("days since %s", c->n ? c->at[0].date : "?"));
	*y = make_axis(text_from("cost by %s, relative to the first week", c->measure));
	pic->panel[pic->n] = (struct chart_panel){ .title = text_from("%s", c->series), .x = x,
						   .y = y, .keyed = true, .group = pic->n };
	pic->n++;
}

/* Adds a curve to the newest panel, unless that panel is full. */
static void add_curve(struct trend_picture *pic, const struct curve *c)
{
	struct chart_panel *panel = &pic->panel[pic->n - 1];
	size_t k = panel->nseries;
	struct trace *s = &pic->trace[CURVES_SERIES * (pic->n - 1) + k];

	if (k == CURVES_SERIES)
		return;
	*s = (struct trace){ .style = STYLE_MARKS, .look = k, .verdict = "",
			     .label = text_from("%s", c->point) };
	panel->series[panel->nseries++] = s;
	put_nights(s, c, panel->x, panel->y);
	put_level_lines(s, c);
}

static void make_picture(struct trend_picture *pic, const struct curves *all)
{
	const struct curve *last = NULL;

	for (const struct curve *c = all->at; c < all->at + all->n; c++) {
		bool same = last && !strcmp(last->series, c->series) &&
			    !strcmp(last->measure, c->measure);

		if (!same && pic->n == TREND_PANELS)
			break;
		if (!same)
			add_panel(pic, c);
		add_curve(pic, c);
		last = c;
	}
	for (size_t i = 0; i < pic->n; i++) {
		widen_axis(&pic->x[i]);
		widen_axis(&pic->y[i]);
	}
}

static void free_picture(struct trend_picture *pic)
{
	for (size_t i = 0; i < LENGTH(pic->trace); i++) {
		free(pic->trace[i].p);
		free(pic->trace[i].fit.v);
		free(pic->trace[i].interval.v);
	}
	free(pic);
}

int trend_draw(const struct curves *all, const char *prefix, char **svg)
{
	struct trend_picture *pic;
	struct chart chart;
	int err;

	if (!all->n)
		return error_no_verdict("no nights to draw");
	pic = memory_new(1, sizeof(*pic));
	make_picture(pic, all);
	chart = (struct chart){ .panels = pic->panel, .n = pic->n };
	lines_add(&chart.head, LINE_HEAD, "cost of each night, relative to the first week");
	lines_add(&chart.foot, LINE_PLAIN, "marks: medians of a night's runs; bars: its least and "
		  "largest run; lines: medians between lasting changes; shaded: their 95 %% "
		  "intervals");
	err = svg_element(&chart, prefix, svg);
	lines_free(&chart.head);
	lines_free(&chart.foot);
	free_picture(pic);
	return err;
}
