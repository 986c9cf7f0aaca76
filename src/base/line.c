/* SPDX-License-Identifier: Apache-2.0 */
#include "base/line.h"

#include <math.h>
#include <stdlib.h>

/* By how much of t0 the time must grow to the longest message for its slope to mean anything. */
#define LEAST_RISE 0.01

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), rising);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static size_t lengths(const double *bytes, size_t n)
{
	size_t different = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		while (j < i && fabs(bytes[j] - bytes[i]) > 0)
			j++;
		different += j == i;
	}
	return different;
}

struct line_fit line_fit(const double *bytes, const double *seconds, size_t n)
{
	struct line_fit fit = { NAN, NAN, NAN };
	double *room = malloc((n * n + 1) * sizeof(*room)), slope, longest = 0;
	size_t pairs = 0;

	if (!room || lengths(bytes, n) < 3) {
		free(room);
		return fit;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (fabs(bytes[i] - bytes[j]) > 0)
				room[pairs++] = (seconds[i] - seconds[j]) / (bytes[i] - bytes[j]);
	slope = median(room, pairs);
	for (size_t i = 0; i < n; i++)
		room[i] = seconds[i] - bytes[i] * slope;
	fit.t0 = median(room, n);
	for (size_t i = 0; i < n; i++)
		longest = fmax(longest, bytes[i]);
	if (slope * longest > LEAST_RISE * fabs(fit.t0))
		fit.r_inf = 1 / slope;
	if (fit.t0 >= 0)
		fit.n_half = fit.t0 * fit.r_inf;
	free(room);
	return fit;
}
