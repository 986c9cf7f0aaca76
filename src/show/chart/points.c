/* SPDX-License-Identifier: Apache-2.0 */
#include "show/chart/points.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/thin.h"
#include "base/sort.h"
#include "base/values.h"
#include "show/chart/axes.h"

void points_push(struct trace *s, struct plot_point p)
{
	s->p = memory_grow(s->p, s->n, sizeof(*s->p));
	s->p[s->n++] = p;
}

int points_compare(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;

	return order_doubles(p->x, q->x);
}

void points_thin(struct picture *pic)
{
	size_t all = 0, room = pic->ask->points_most, *keep;
	struct thin_point *at;

	for (size_t i = 0; i < pic->ntraces; i++)
		all += pic->traces[i].n;
	if (!room || all <= room)
		return;
	at = memory_new(all, sizeof(*at));
	keep = memory_new(all, sizeof(*keep));
	for (size_t i = 0; i < pic->ntraces; i++) {
		struct trace *s = &pic->traces[i];
		size_t parts = (size_t)fmax(1, (double)s->n / (double)all * (double)room / 3);

		for (size_t k = 0; k < s->n; k++) {
			double place = axes_coordinate(&pic->x, s->p[k].x);

			place = pic->x.scale == SCALE_LOG ? log(place) : place;
			at[k] = (struct thin_point){ place, s->p[k].y };
		}
		if (s->n > 3 * parts) {	/* thin() keeps three points in each part of the axis */
			s->n = thin(at, s->n, parts, keep);
			for (size_t k = 0; k < s->n; k++)
				s->p[k] = s->p[keep[k]];
		}
		pic->nthin += s->n;
	}
	pic->nall = all;
	free(at);
	free(keep);
}
