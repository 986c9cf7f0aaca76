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

int points_thin(struct picture *pic)
{
	size_t all = 0, room = pic->ask->points_most, *keep;
	struct thin_point *at;
	bool good;

	for (size_t i = 0; i < pic->ntraces; i++)
		all += pic->traces[i].n;
	if (!room || all <= room)
		return ST_OK;
	at = calloc(all, sizeof(*at));
	keep = calloc(all, sizeof(*keep));
	good = at && keep;
	for (size_t i = 0; i < pic->ntraces && good; i++) {
		struct trace *s = &pic->traces[i];
		size_t parts = (size_t)fmax(1, (double)s->n / (double)all * (double)room / 3);

		for (size_t k = 0; k < s->n; k++) {
			double place = axes_place(&pic->x, s->p[k].x);

			place = pic->x.scale == SCALE_LOG ? log(place) : place;
			at[k] = (struct thin_point){ place, s->p[k].y };
		}
		if (s->n > 3 * parts) {	/* keeps three points in each part of the axis */
			s->n = thin(at, s->n, parts, keep);
			good = s->n;
			for (size_t k = 0; k < s->n; k++)
				s->p[k] = s->p[keep[k]];
		}
		pic->nthin += s->n;
	}
	pic->nall = all;
	free(at);
	free(keep);
	return good ? ST_OK : error_report("no memory for a series");
}
