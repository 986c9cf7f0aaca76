/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/heat/tiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "show/chart/range.h"

/*
 * The scale spans at least this factor, so that noise of a healthy network does not look like
 * faults; and is logarithmic from this one on.
 */
#define SPAN_LEAST 1.25
#define SPAN_LOG 8

/* The hosts of a row of cells, of which the last may have fewer. */
static size_t end_of(const struct heat *h, size_t row)
{
	size_t end = (row + 1) * h->per;

	return end < h->n ? end : h->n;
}

/* The values of a tile's pairs. How many they are. */
static size_t collect(const struct heat *h, const struct heat_map *m, size_t row, size_t column,
		      double *to)
{
	size_t n = 0;

	for (size_t i = row * h->per; i < end_of(h, row); i++)
		for (size_t j = column * h->per; j < end_of(h, column); j++)
			if (!isnan(m->y[i * h->n + j]))
				to[n++] = m->y[i * h->n + j];
	return n;
}

static double worst(const struct heat_map *m, const double *of, size_t n)
{
	double value = NAN;

	for (size_t i = 0; i < n; i++)
		value = m->low_is_slow ? fmin(value, of[i]) : fmax(value, of[i]);
	return value;
}

int tiles_cut(struct heat *h, size_t per, enum plot_tile of)
{
	double *room = calloc(per * per, sizeof(*room));
	bool good = room;

	h->per = per;
	h->ncells = (h->n + per - 1) / per;
	for (size_t k = 0; k < h->nmaps && good; k++) {
		struct heat_map *m = &h->map[k];

		m->cell = malloc((h->ncells * h->ncells + 1) * sizeof(*m->cell));
		good = m->cell;
		for (size_t i = 0; i < h->ncells * h->ncells && good; i++) {
			size_t n = collect(h, m, i / h->ncells, i % h->ncells, room);

			m->cell[i] = (float)(of == TILE_MEDIAN ? median(room, n)
							       : worst(m, room, n));
		}
	}
	free(room);
	return good ? ST_OK : error_report("no memory for %zu cells", h->ncells * h->ncells);
}

bool tiles_failed(const struct heat *h, const struct heat_map *m, size_t row, size_t column)
{
	for (size_t i = row * h->per; i < end_of(h, row); i++)
		for (size_t j = column * h->per; j < end_of(h, column); j++)
			if (h->failed[i * h->n + j] && isnan(m->y[i * h->n + j]))
				return true;
	return false;
}

bool tiles_empty(const struct heat *h, size_t row, size_t column)
{
	return row == column && end_of(h, row) == row * h->per + 1;
}

void tiles_scale(struct heat_map *m, const struct heat *h)
{
	struct axis *a = &m->scale;

	a->lo = a->hi = NAN;
	m->noutside = 0;
	for (size_t i = 0; i < h->ncells * h->ncells; i++) {
		a->lo = fmin(a->lo, m->cell[i]);
		a->hi = fmax(a->hi, m->cell[i]);
		m->noutside += range_excludes(a, m->cell[i]);
	}
	if (a->lo > 0 && a->hi < SPAN_LEAST * a->lo) {
		if (m->low_is_slow)
			a->lo = a->hi / SPAN_LEAST;
		else
			a->hi = a->lo * SPAN_LEAST;
	}
	a->lo = isnan(a->from) ? a->lo : a->from;
	a->hi = isnan(a->to) ? a->hi : a->to;
	if (!(a->hi > a->lo))		/* one value that is not positive, or all beyond an end */
		a->hi = a->lo + fmax(fabs(a->lo), 1);
	a->scale = !a->linear && a->lo > 0 && a->hi >= SPAN_LOG * a->lo ? SCALE_LOG : SCALE_LINEAR;
}
