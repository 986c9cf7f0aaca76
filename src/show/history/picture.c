/* SPDX-License-Identifier: Apache-2.0 */
#include "show/history/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/out.h"
#include "show/chart/lines.h"
#include "show/svg.h"

#define DAY_S 86400.0
#define MARGIN 0.04 /* of an axis, beside its values */

/* How much slower the last week of a point is than the first, of logarithms. */
static double creep_of(const struct nights *nights, size_t point, double *first)
{
	double head[WEEK], tail[WEEK];
	size_t n = nights->n < WEEK ? nights->n : WEEK;

	for (size_t i = 0; i < n; i++) {
		head[i] = nights->y[i * nights->points + point];
		tail[i] = nights->y[(nights->n - 1 - i) * nights->points + point];
	}
	*first = median(head, n);
	return median(tail, n) - *first;
}

/* The points that became slowest, by falling slowness. Returns how many. */
static size_t choose_points(const struct nights *nights, size_t chosen[TREND_POINTS])
{
	double by[TREND_POINTS + 1], base;
	size_t n = 0;

	for (size_t p = 0; p < nights->points; p++) {
		double slower = creep_of(nights, p, &base);
		size_t at = n;

		for (; at && slower > by[at - 1]; at--) {
			by[at] = by[at - 1];
			if (at < TREND_POINTS)
				chosen[at] = chosen[at - 1];
		}
		by[at] = slower;
		if (at < TREND_POINTS)
			chosen[at] = p;
		n += n < TREND_POINTS;
	}
	return n;
}

static double day_of(const struct nights *nights, size_t night)
{
	double day = (nights->at[night].start - nights->at[0].start) / DAY_S;

	return isnan(day) ? (double)night : day;
}

static void include(struct axis *a, double value)
{
	a->lo = fmin(a->lo, value); /* of NaN the other */
	a->hi = fmax(a->hi, value);
}

/* Fills in the nights of a point, and the axes' ranges. */
static void put_nights(struct trace *s, const struct nights *nights, size_t point, double base,
		      struct axis *x, struct axis *y)
{
	const struct run_table *t = &nights->table;

	s->p = memory_new(nights->n, sizeof(*s->p));
	for (size_t i = 0; i < nights->n; i++) {
		const struct past_night *night = &nights->at[i];
		struct plot_point p = { .x = day_of(nights, i), .lo = NAN, .hi = NAN,
					.p90 = NAN, .p99 = NAN, .fit = NAN };

		p.y = exp(nights->y[i * nights->points + point] - base);
		for (size_t k = night->first; k < night->first + night->runs; k++) {
			double run = exp(t->y[nights->point[point] * t->results + k] - base);

			p.lo = fmin(p.lo, run);
			p.hi = fmax(p.hi, run);
		}
		include(x, p.x);
		include(y, p.lo);
		include(y, p.hi);
		s->p[s->n++] = p;
	}
}

/* Fills in the line at the medians between changes. */
static void put_medians(struct trace *s, const struct nights *nights, size_t point, double base,
		       const struct change_points *c)
{
	double *room = memory_new(nights->n, sizeof(*room));

	s->fit.v = memory_new(3 * (c->n + 1), sizeof(*s->fit.v));
	for (size_t k = 0; k <= c->n; k++) {
		size_t from = k ? c->at[k - 1].at : 0, to = k < c->n ? c->at[k].at : nights->n;
		double middle;

		for (size_t i = from; i < to; i++)
			room[i - from] = nights->y[i * nights->points + point];
		middle = exp(median(room, to - from) - base);
		s->fit.v[s->fit.n++] = (struct spot){ day_of(nights, from), middle };
		s->fit.v[s->fit.n++] = (struct spot){ day_of(nights, to - 1), middle };
		s->fit.v[s->fit.n++] = (struct spot){ NAN, NAN };
	}
	free(room);
}

static void widen(struct axis *a)
{
	double by = a->hi > a->lo ? MARGIN * (a->hi - a->lo) : MARGIN;

	a->lo -= by;
	a->hi += by;
}

void trend_picture_add(struct trend_picture *pic, const struct trend *t, const char *name)
{
	const struct nights *nights = t->nights;
	struct chart_panel *panel = &pic->panel[pic->n];
	struct axis *x = &pic->x[pic->n], *y = &pic->y[pic->n];
	size_t chosen[TREND_POINTS] = { 0 }, n = choose_points(nights, chosen);
	char date[NIGHT_DATE], point[200];

	if (pic->n == TREND_PANELS || !nights->n || !n)
		return;
	*x = (struct axis){ .column = "", .unit = "", .factor = 1, .lo = NAN, .hi = NAN,
			    .words = text_from("days since %s",
					       night_date(nights->at[0].start, date)),
			    .from = NAN, .to = NAN, .scale = SCALE_LINEAR };
	*y = (struct axis){ .column = "", .unit = "", .factor = 1, .lo = NAN, .hi = NAN,
			    .words = text_from("cost by %s, of the first week's",
					       columns[nights->table.measure.id].name),
			    .from = NAN, .to = NAN, .scale = SCALE_LINEAR };
	*panel = (struct chart_panel){ .title = text_from("%s", name), .x = x, .y = y,
				       .keyed = true, .group = pic->n };
	for (size_t i = 0; i < n; i++) {
		struct trace *s = &pic->trace[TREND_POINTS * pic->n + i];
		double base;

		creep_of(nights, chosen[i], &base);
		*s = (struct trace){ .style = STYLE_MARKS, .look = i, .verdict = "",
				     .label = text_from("%s", run_table_name(&nights->table,
							nights->point[chosen[i]], point,
							sizeof(point))) };
		panel->series[panel->nseries++] = s;
		put_nights(s, nights, chosen[i], base, x, y);
		put_medians(s, nights, chosen[i], base, &t->of[chosen[i]]);
	}
	widen(x);
	widen(y);
	pic->n++;
}

void trend_picture_free(struct trend_picture *pic)
{
	for (size_t i = 0; i < LENGTH(pic->trace); i++) {
		free(pic->trace[i].p);
		free(pic->trace[i].fit.v);
	}
	*pic = (struct trend_picture){ .n = 0 };
}

int trend_picture_write(struct trend_picture *pic, const char *path, bool overwrite)
{
	struct chart chart = { .panels = pic->panel, .n = pic->n };
	char *svg = NULL;
	int err;

	if (!pic->n)
		return error_no_verdict("no nights to draw");
	lines_add(&chart.head, LINE_HEAD, "cost of each night, as a multiple of the first week's");
	lines_add(&chart.foot, LINE_PLAIN, "marks: medians of a night's runs; bars: its least and "
		  "largest run; lines: medians between lasting changes");
	err = svg_element(&chart, "", &svg);
	lines_free(&chart.head);
	lines_free(&chart.foot);
	if (err)
		return err;
	err = out_write_file(path, svg, strlen(svg), out_instead(overwrite));
	free(svg);
	return err;
}
