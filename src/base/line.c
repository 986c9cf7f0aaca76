/* SPDX-License-Identifier: Apache-2.0 */
#include "base/line.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

/*
 * The slope is used only if the time from length 0 to the longest message rises by more than this
 * fraction of t0.
 */
#define MIN_RISE 0.01

struct linear line_least_squares(const double *x, const double *y, const double *w, size_t n)
{
	double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, mx, my;

	for (size_t i = 0; i < n; i++) {
		double weight = isnan(y[i]) ? 0 : w ? w[i] : 1;

		if (weight > 0) {
			sw += weight;
			sx += weight * x[i];
			sy += weight * y[i];
		}
	}
	if (!(sw > 0))
		return (struct linear){ NAN, NAN };
	mx = sx / sw;
	my = sy / sw;
	for (size_t i = 0; i < n; i++) {
		double weight = isnan(y[i]) ? 0 : w ? w[i] : 1;

		if (weight > 0) {
			sxx += weight * (x[i] - mx) * (x[i] - mx);
			sxy += weight * (x[i] - mx) * (y[i] - my);
		}
	}
	if (!(sxx > 0))
		return (struct linear){ my, 0 };
	return (struct linear){ my - sxy / sxx * mx, sxy / sxx };
}

struct line_fit line_fit(const double *bytes, const double *seconds, size_t n)
{
	struct line_fit fit = { NAN, NAN, NAN };
	double *scratch = malloc((n * n + 1) * sizeof(*scratch)), slope, longest = 0;
	size_t pairs = 0, lengths = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		while (j < i && fabs(bytes[j] - bytes[i]) > 0)
			j++;
		lengths += j == i;
	}
	if (!scratch || lengths < 3) {
		free(scratch);
		return fit;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (fabs(bytes[i] - bytes[j]) > 0)
				scratch[pairs++] = (seconds[i] - seconds[j]) /
						   (bytes[i] - bytes[j]);
	slope = median(scratch, pairs);
	for (size_t i = 0; i < n; i++)
		scratch[i] = seconds[i] - bytes[i] * slope;
	fit.t0 = median(scratch, n);
	for (size_t i = 0; i < n; i++)
		longest = fmax(longest, bytes[i]);
	if (slope * longest > MIN_RISE * fabs(fit.t0))
		fit.r_inf = 1 / slope;
	if (fit.t0 >= 0)
		fit.n_half = fit.t0 * fit.r_inf;
	free(scratch);
	return fit;
}
