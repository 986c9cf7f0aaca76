/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/runs/groups.h"
#include "base/error.h"
#include "base/values.h"

/* Returns the same quantity in another run; NULL if that run lacks it. */
static const struct figure *find_same(const struct figures *run, const struct figure *f)
{
	for (size_t i = 0; i < run->n; i++) {
		const struct figure *g = &run->at[i];

		if (!strcmp(g->benchmark, f->benchmark) && !strcmp(g->name, f->name) &&
		    g->size == f->size && g->window == f->window)
			return g;
	}
	return NULL;
}

/* Combines one figure over all runs. `y` is working memory for the logarithms of its values. */
static struct figure combine_figure(const struct figures *runs, size_t n, const struct figure *f,
				    double *y)
{
	struct figure of = *f;
	struct run_median m;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		const struct figure *g = find_same(&runs[i], f);

		of.exact &= g && g->exact;
		if (g && g->value > 0)
			y[have++] = log(g->value);
	}
	if (of.exact)
		return of;
	m = run_median(y, have);
	of.value = exp(m.middle);
	of.lo = exp(m.lo);
	of.hi = exp(m.hi);
	of.few = false;
	return of;
}

int combine_figures(const struct figures *runs, size_t n, struct figures *all)
{
	double *y = memory_new(n, sizeof(*y));
	int err = ST_OK;

	for (const struct figures *run = runs; run < runs + n; run++)
		for (size_t i = 0; i < run->n && !err; i++) {
			struct figure of = combine_figure(runs, n, &run->at[i], y);

			if (of.value > 0 && !find_same(all, &of))
				err = figures_add(all, &of);
		}
	free(y);
	return err;
}
