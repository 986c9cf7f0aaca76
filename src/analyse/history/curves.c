/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/history/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/stats.h"
#include "base/values.h"
#include "result/document.h"

#define DAY_S 86400.0

static char *copy_text(const char *text)
{
	return memory_or_exit(strdup(text));
}

/* Appends a curve without nights. */
static struct curve *add_curve(struct curves *all, const char *series, const char *point,
			       const char *measure)
{
	all->at = memory_grow(all->at, all->n, sizeof(*all->at));
	all->at[all->n] = (struct curve){ copy_text(series), copy_text(point), copy_text(measure),
					  NULL, 0 };
	return &all->at[all->n++];
}

/* ---- from nights ---- */

/*
 * Returns the increase of a point's cost from the first week of the series to the final week, as a
 * difference of logarithms. Sets *first to the first week's median.
 */
static double compute_creep(const struct nights *nights, size_t point, double *first)
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

/* Chooses the points that slowed down most, the worst first. Returns their number. */
static size_t choose_points(const struct nights *nights, size_t chosen[CURVES_SERIES])
{
	double by[CURVES_SERIES + 1], base;
	size_t n = 0;

	for (size_t p = 0; p < nights->points; p++) {
		double slower = compute_creep(nights, p, &base);
		size_t at = n;

		for (; at && slower > by[at - 1]; at--) {
			by[at] = by[at - 1];
			if (at < CURVES_SERIES)
				chosen[at] = chosen[at - 1];
		}
		by[at] = slower;
		if (at < CURVES_SERIES)
			chosen[at] = p;
		n += n < CURVES_SERIES;
	}
	return n;
}

/* Makes one night of a point's curve. `base` is the logarithm of the cost that counts as 1. */
static struct curve_night make_night(const struct nights *nights, size_t night, size_t point,
				     double base)
{
	const struct run_table *t = &nights->table;
	const struct past_night *of = &nights->at[night];
	double days = (of->start - nights->at[0].start) / DAY_S;
	struct curve_night c = { .days = isnan(days) ? (double)night : days, .lo = NAN, .hi = NAN,
				 .runs = of->runs };

	night_date(of->start, c.date);
	c.cost = exp(nights->y[night * nights->points + point] - base);
	for (size_t k = of->first; k < of->first + of->runs; k++) {
		double run = exp(t->y[nights->point[point] * t->results + k] - base);

		c.lo = fmin(c.lo, run); /* fmin and fmax ignore NaN */
		c.hi = fmax(c.hi, run);
	}
	return c;
}

/*
 * Sets, for each night, the median between changes with its interval, and the number of changes so
 * far.
 */
static void set_levels(struct curve *c, const struct change_points *changes)
{
	double *room = memory_new(c->n, sizeof(*room));

	for (size_t k = 0; k <= changes->n; k++) {
		size_t from = k ? changes->at[k - 1].at : 0;
		size_t to = k < changes->n ? changes->at[k].at : c->n;
		double middle, lo = NAN, hi = NAN;
		size_t l, u;

		for (size_t i = from; i < to; i++)
			room[i - from] = log(c->at[i].cost);
		middle = exp(median(room, to - from));
		sort_doubles(room, to - from);
		if (!quantile_ranks(to - from, 0.5, &l, &u)) {
			lo = exp(room[l - 1]);
			hi = exp(room[u - 1]);
		}
		for (size_t i = from; i < to; i++) {
			c->at[i].level = middle;
			c->at[i].level_lo = lo;
			c->at[i].level_hi = hi;
			c->at[i].changes = k;
		}
	}
	free(room);
}

void curves_add(struct curves *all, const struct trend *t, const char *series)
{
	const struct nights *nights = t->nights;
	size_t chosen[CURVES_SERIES] = { 0 }, n = nights->n ? choose_points(nights, chosen) : 0;
	char point[200];

	for (size_t i = 0; i < n; i++) {
		struct curve *c = add_curve(all, series, run_table_name(&nights->table,
				nights->point[chosen[i]], point, sizeof(point)),
				columns[nights->table.measure.id].name);
		double base;

		compute_creep(nights, chosen[i], &base);
		c->at = memory_new(nights->n, sizeof(*c->at));
		for (; c->n < nights->n; c->n++)
			c->at[c->n] = make_night(nights, c->n, chosen[i], base);
		set_levels(c, &t->of[chosen[i]]);
	}
}

/* ---- from rows ---- */

/* Reads a night from a row of a result of history. */
static struct curve_night read_night(const json_t *row)
{
	struct curve_night c = {
		.days = row_number(row, COL_NIGHT_DAYS), .cost = row_number(row, COL_COST),
		.lo = row_number(row, COL_COST_LO), .hi = row_number(row, COL_COST_HI),
		.level = row_number(row, COL_COST_LEVEL),
		.level_lo = row_number(row, COL_COST_LEVEL_LO),
		.level_hi = row_number(row, COL_COST_LEVEL_HI),
		.runs = (size_t)json_integer_value(row_cell(row, COL_RUNS)),
		.changes = (size_t)json_integer_value(row_cell(row, COL_CHANGES)),
	};

	snprintf(c.date, sizeof(c.date), "%s", row_text(row, COL_NIGHT));
	return c;
}

/* True if a row belongs to the curve. */
static bool is_curve_of(const struct curve *c, const json_t *row)
{
	return !strcmp(c->series, row_text(row, COL_SERIES)) &&
	       !strcmp(c->point, row_text(row, COL_POINT)) &&
	       !strcmp(c->measure, row_text(row, COL_QUANTITY));
}

void curves_read(struct curves *all, const json_t *doc)
{
	struct curve *c = NULL;
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(doc), i, row) {
		if (isnan(row_number(row, COL_COST)) || isnan(row_number(row, COL_NIGHT_DAYS)))
			continue;
		if (!c || !is_curve_of(c, row))
			c = add_curve(all, row_text(row, COL_SERIES), row_text(row, COL_POINT),
				      row_text(row, COL_QUANTITY));
		c->at = memory_grow(c->at, c->n, sizeof(*c->at));
		c->at[c->n++] = read_night(row);
	}
}

void curves_free(struct curves *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->at[i].series);
		free(all->at[i].point);
		free(all->at[i].measure);
		free(all->at[i].at);
	}
	free(all->at);
	*all = (struct curves){ 0 };
}
