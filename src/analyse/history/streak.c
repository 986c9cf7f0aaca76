/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/history/streak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/values.h"

/*
 * Returns the smallest excess, as a logarithm, of three nights: a night and the two before it. The
 * excess is over the median of the week before the three nights.
 */
static double least_excess(const double *y, size_t points, size_t point, size_t night)
{
	double week[STREAK_WEEK], centre, least = INFINITY;

	for (size_t i = 0; i < STREAK_WEEK; i++)
		week[i] = y[(night + 1 - STREAK_NIGHTS - STREAK_WEEK + i) * points + point];
	centre = median(week, STREAK_WEEK);
	for (size_t i = night + 1 - STREAK_NIGHTS; i <= night; i++)
		least = fmin(least, y[i * points + point] - centre);
	return least;
}

void streak_judge(const double *y, size_t nights, size_t points, double margin, struct night *out)
{
	const size_t first = STREAK_WEEK + STREAK_NIGHTS - 1;
	size_t n = nights + 1 - first, as_bad = 0;
	double *x, *sorted, *worst;

	*out = (struct night){ .p = NAN, .excess = NAN };
	if (nights < STREAK_BEFORE)
		return;
	x = memory_new(3 * n, sizeof(*x));
	sorted = x + n;
	worst = sorted + n;
	for (size_t p = 0; p < points; p++) {
		double centre, scale;

		for (size_t i = 0; i < n; i++)
			x[i] = least_excess(y, points, p, first + i);
		memcpy(sorted, x, n * sizeof(*x));
		centre = median(sorted, n);
		scale = spread(sorted, n, centre);
		for (size_t i = 0; i < n; i++) {
			double u = x[i] == centre ? 0 : (x[i] - centre) / scale;

			if (i == n - 1 && (!p || u > worst[i])) {
				out->point = p;
				out->excess = x[i];
			}
			worst[i] = p ? fmax(worst[i], u) : u;
		}
	}
	for (size_t i = 0; i < n; i++)
		as_bad += worst[i] >= worst[n - 1];
	out->p = (double)as_bad / (double)n;
	out->alarm = out->p <= 0.05 && out->excess > log1p(margin);
	free(x);
}
