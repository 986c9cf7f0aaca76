/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/verdicts.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

void verdicts_free(struct verdicts *all)
{
	for (size_t i = 0; i < all->n; i++)
		judged_free(&all->at[i].j);
	free(all->at);
	all->at = NULL;
	all->n = 0;
	json_decref(all->differences);
	all->differences = NULL;
}

double verdicts_slower(const struct verdicts *all, const struct found *f, uint32_t host)
{
	double by = f->j.slow[host];

	return f->quantity == LATENCY ? all->over[LATENCY].median * expm1(by)
				      : verdict_relative(by);
}

struct overview overview_of(const struct study *s, enum quantity q)
{
	struct overview o = { NAN, NAN, NAN, NAN, 0, 0, 0, 0 };
	double *y = s->of[q].n ? malloc(((size_t)s->n * s->n + 1) * sizeof(*y)) : NULL;
	double worst = INFINITY;
	size_t n = 0;

	for (uint32_t i = 0; i < s->n && y; i++) {
		for (uint32_t j = 0; j < s->n; j++) {
			y[n] = i == j ? NAN : study_y(s, q, i, j);
			o.missing += i != j && isnan(y[n]);
			if (isnan(y[n]))
				continue;
			if (y[n] < worst) {
				worst = y[n];
				o.from = i;
				o.to = j;
			}
			n++;
		}
	}
	o.pairs = n;
	if (n) {
		o.median = study_unit(q, select_median(y, n));
		/* either side of the median by itself, where select_median left it */
		o.low = study_unit(q, select_double(y, n / 2 + 1, n / 4));
		o.high = study_unit(q, select_double(y + n / 2, n - n / 2, n - 1 - n / 4 - n / 2));
		o.slowest = study_unit(q, worst);
	}
	free(y);
	return o;
}
