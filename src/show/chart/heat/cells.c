/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/heat/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/values.h"
#include "show/chart/axes.h"
#include "show/chart/lines.h"

/* ---- names ---- */

/* Returns the domain that all names share, with its leading dot; "" if there is none. */
static const char *common_domain(const struct heat *h)
{
	const char *dot = h->n > 1 ? strchr(h->names[0], '.') : NULL;

	for (size_t i = 1; i < h->n && dot; i++) {
		size_t n = strlen(h->names[i]);

		while (dot && (n <= strlen(dot) ||
			       strcmp(h->names[i] + n - strlen(dot), dot) != 0))
			dot = strchr(dot + 1, '.');
	}
	return dot && dot > h->names[0] ? dot : "";
}

void cells_make_labels(struct heat *h)
{
	h->domain = common_domain(h);
	h->labels = memory_new(h->n, sizeof(*h->labels));
	for (size_t i = 0; i < h->n; i++) {
		const char *name = h->names[h->order[i]];
		struct text own = text_from("%.*s", (int)(strlen(name) - strlen(h->domain)), name);
		size_t width = utf8_width(own.s), skipped = 0;
		const char *at = own.s;

		/* a long name keeps its end, because hosts of a cluster differ there */
		for (; width > NAME_MOST && *at; at++) {
			/* counts bytes that begin a character */
			skipped += ((unsigned char)*at & 0xc0) != 0x80;
			if (skipped > width - (NAME_MOST - 3))
				break;
		}
		snprintf(h->labels[i], sizeof(h->labels[i]), "%s%.*s",
			 width > NAME_MOST ? "..." : "", 4 * NAME_MOST, at);
	}
}

const char *cells_label(const struct heat *h, size_t row)
{
	return h->labels[row * h->per];
}

/* ---- tiles ---- */

/*
 * The smallest ratio of the ends of the scale. This minimum keeps noise of a healthy network from
 * looking like faults. If the ratio of the ends is at least SPAN_LOG, the scale is logarithmic.
 */
#define SPAN_LEAST 1.25
#define SPAN_LOG 8

/*
 * Returns the index of the last host in a row of cells, plus 1. The last row may have fewer hosts
 * than other rows.
 */
static size_t row_end(const struct heat *h, size_t row)
{
	size_t end = (row + 1) * h->per;

	return end < h->n ? end : h->n;
}

/* Returns the index of a pair of hosts, each given by its position in the drawn order. */
static size_t pair_index(const struct heat *h, size_t row, size_t column)
{
	return h->order[row] * h->n + h->order[column];
}

/*
 * Returns the value of a tile: the worst or the median of its pairs. `room` is scratch for the
 * values of all its pairs.
 */
static double tile_value(const struct heat *h, const struct heat_map *m, size_t row, size_t column,
			 enum plot_tile of, double *room)
{
	double worst = NAN;
	size_t n = 0;

	for (size_t i = row * h->per; i < row_end(h, row); i++) {
		for (size_t j = column * h->per; j < row_end(h, column); j++) {
			double y = m->y[pair_index(h, i, j)];

			if (isnan(y))
				continue;
			worst = m->low_is_slow ? fmin(worst, y) : fmax(worst, y);
			room[n++] = y;
		}
	}
	return of == TILE_MEDIAN ? median(room, n) : worst;
}

void cells_make(struct heat *h, size_t per, enum plot_tile of)
{
	size_t n = (h->n + per - 1) / per;
	double *room = memory_new(per * per, sizeof(*room));

	h->per = per;
	h->ncells = n;
	for (size_t k = 0; k < h->nmaps; k++) {
		struct heat_map *m = &h->map[k];

		m->cell = memory_new(n * n, sizeof(*m->cell));
		for (size_t i = 0; i < n * n; i++)
			m->cell[i] = (float)tile_value(h, m, i / n, i % n, of, room);
	}
	free(room);
}

bool cells_has_failed_pair(const struct heat *h, const struct heat_map *m, size_t row,
			   size_t column)
{
	for (size_t i = row * h->per; i < row_end(h, row); i++)
		for (size_t j = column * h->per; j < row_end(h, column); j++)
			if (h->failed[pair_index(h, i, j)] && isnan(m->y[pair_index(h, i, j)]))
				return true;
	return false;
}

bool cells_is_one_host(const struct heat *h, size_t row, size_t column)
{
	return row == column && row_end(h, row) == row * h->per + 1;
}

void cells_set_scale(struct heat_map *m, const struct heat *h)
{
	struct axis *a = &m->scale;

	a->lo = a->hi = NAN;
	m->noutside = 0;
	for (size_t i = 0; i < h->ncells * h->ncells; i++) {
		a->lo = fmin(a->lo, m->cell[i]);
		a->hi = fmax(a->hi, m->cell[i]);
		m->noutside += axis_excludes(a, m->cell[i]);
	}
	if (a->lo > 0 && a->hi < SPAN_LEAST * a->lo) {
		if (m->low_is_slow)
			a->lo = a->hi / SPAN_LEAST;
		else
			a->hi = a->lo * SPAN_LEAST;
	}
	a->lo = isnan(a->from) ? a->lo : a->from;
	a->hi = isnan(a->to) ? a->hi : a->to;
	if (!(a->hi > a->lo)) /* there is a single value, or all values are beyond one end */
		a->hi = a->lo + fmax(fabs(a->lo), 1);
	a->scale = !a->linear && a->lo > 0 && a->hi >= SPAN_LOG * a->lo ? SCALE_LOG : SCALE_LINEAR;
}
