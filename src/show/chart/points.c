/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/points.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/thin.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/values.h"
#include "show/chart/axes.h"

int points_push(struct trace *s, struct plot_point p)
{
	struct plot_point *grown = list_grow(s->p, s->n, sizeof(*grown));

	if (!grown)
		return error_report("no memory for a series");
	s->p = grown;
	s->p[s->n++] = p;
	return ST_OK;
}

int points_compare(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;

	return order_doubles(p->x, q->x);
}

/* Keeps three points in each of `parts` parts of the axis of x. */
static int thin_trace(struct trace *s, const struct axis *x, size_t parts)
{
	struct thin_point *at = calloc(s->n, sizeof(*at));
	size_t *keep = calloc(3 * parts, sizeof(*keep)), n = 0;

	for (size_t i = 0; i < s->n && at && keep; i++) {
		double place = axes_place(x, s->p[i].x);

		place = x->scale == SCALE_LOG ? log(place) : place;
		at[i] = (struct thin_point){ place, s->p[i].y };
	}
	if (at && keep)
		n = thin(at, s->n, parts, keep);
	for (size_t i = 0; i < n; i++)
		s->p[i] = s->p[keep[i]];
	free(at);
	free(keep);
	if (!n)
		return error_report("no memory for a series");
	s->n = n;
	return ST_OK;
}

int points_thin(struct picture *pic)
{
	size_t all = 0, room = pic->ask->points_most;
	int err = ST_OK;

	for (size_t i = 0; i < pic->ntraces; i++)
		all += pic->traces[i].n;
	if (!room || all <= room)
		return ST_OK;
	for (size_t i = 0; i < pic->ntraces && !err; i++) {
		struct trace *s = &pic->traces[i];
		size_t parts = (size_t)fmax(1, (double)s->n / (double)all * (double)room / 3);

		if (s->n > 3 * parts)
			err = thin_trace(s, &pic->x, parts);
		pic->nthin += s->n;
	}
	pic->nall = all;
	return err;
}
