/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/thin.h"

#include <stdlib.h>

#include "base/sort.h"
#include "base/values.h"

struct numbered {
	double y;
	size_t i;
};

static int compare_values(const void *a, const void *b)
{
	const struct numbered *p = a, *q = b;
	int order = order_doubles(p->y, q->y);

	return order ? order : (p->i > q->i) - (p->i < q->i);
}

static int compare_numbers(const void *a, const void *b)
{
	const size_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Chooses the points of one part that are kept, each at most once. Returns their number. */
static size_t choose_points(struct numbered *v, size_t n, size_t *keep)
{
	const size_t at[] = { 0, (n - 1) / 2, n - 1 };
	size_t kept = 0;

	qsort(v, n, sizeof(*v), compare_values);
	for (size_t k = 0; k < 3; k++)
		if (!k || at[k] > at[k - 1])
			keep[kept++] = v[at[k]].i;
	qsort(keep, kept, sizeof(*keep), compare_numbers);
	return kept;
}

size_t thin(const struct thin_point *p, size_t n, size_t parts, size_t *keep)
{
	struct numbered *v = memory_new(n, sizeof(*v));
	size_t kept = 0, first = 0;

	for (size_t part = 0; part < parts; part++) {
		double end = p[0].x + (p[n - 1].x - p[0].x) * (double)(part + 1) / (double)parts;
		size_t i = first;

		for (; i < n && (p[i].x < end || part + 1 == parts); i++)
			v[i - first] = (struct numbered){ p[i].y, i };
		if (i > first)
			kept += choose_points(v, i - first, keep + kept);
		first = i;
	}
	free(v);
	return kept;
}
