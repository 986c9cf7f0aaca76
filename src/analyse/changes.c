/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/changes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/values.h"

#define NEAR 64		/* values on each side of a change whose scatter is its noise */
#define NOISIER 2	/* a side is noisier if its scale is this many times that of the series */
#define AROUND 5 /* the running median includes this number of values on either side */
#define CLIP 3 /* deviations from the running median are clipped at this number of scales */
#define MOST_RHO 0.95 /* upper limit of the autocorrelation */
#define CUT 2.5 /* for the autocorrelation, differences are clipped at this number of scales */
#define UNSURE 1.5 /* UNSURE / sqrt(n) is subtracted from the autocorrelation, as its uncertainty */
/* smallest scale (of logarithms), in case that the values do not vary at all */
#define LEAST_SCALE 1e-9
/*
 * describe_change(): dates are possible if their cost is at most this much higher than the least.
 * This number is the 95 % quantile of chi-squared.
 */
#define RISE 3.84
#define SEED 67

/* ---- scale ---- */

/*
 * Returns s_j of (67): a scale from the differences of values that are j = `apart` places apart. A
 * lasting step hardly changes it.
 */
static double difference_scale(const double *x, size_t n, size_t apart, double *room)
{
	for (size_t i = 0; i + apart < n; i++)
		room[i] = fabs(x[i + apart] - x[i]);
	return 1.4826 * median(room, n - apart);
}

/*
 * Returns the mean square of the differences of values that are `apart` places apart, clipped at
 * CUT times `scale`.
 */
static double mean_square_difference(const double *x, size_t n, size_t apart, double scale)
{
	double sum = 0;

	for (size_t i = 0; i + apart < n; i++) {
		double d = fmin(fabs(x[i + apart] - x[i]), CUT * scale);

		sum += d * d;
	}
	return sum / (double)(n - apart);
}

/*
 * Estimates scale, autocorrelation and penalty by (67), with one exception: the autocorrelation
 * comes from a ratio of mean squares of clipped differences, minus its uncertainty. With 60 values
 * a ratio of two medians would vary widely, and an autocorrelation that is too high hides steps.
 */
static void estimate_scale(const double *x, size_t n, struct change_points *c, double *room)
{
	double s1 = difference_scale(x, n, 1, room), s2 = difference_scale(x, n, 2, room);
	double ratio = s1 > 0 ? mean_square_difference(x, n, 2, s2) /
					mean_square_difference(x, n, 1, s1)
			      : 1;

	c->rho = fmin(fmax(ratio - 1 - UNSURE / sqrt((double)n), 0), MOST_RHO);
	c->scale = fmax(s1 / sqrt(2 * (1 - c->rho)), LEAST_SCALE);
	c->penalty = 3 * log((double)n) * (1 + c->rho) / (1 - c->rho);
}

/* ---- segments ---- */

/* Cumulative sums of the scaled and clipped values: sum[i] is the sum of the first i. */
static void sum_values(const double *x, size_t n, double scale, double *sum)
{
	double window[2 * AROUND + 1], centre = x[0];

	sum[0] = 0;
	for (size_t i = 0; i < n; i++) {
		size_t from = i < AROUND ? 0 : i - AROUND, k = 0;
		double middle;

		while (from + k < n && from + k <= i + AROUND) {
			window[k] = x[from + k];
			k++;
		}
		middle = median(window, k);
		sum[i + 1] = sum[i] + (middle - centre) / scale +
			     fmin(fmax((x[i] - middle) / scale, -CLIP), CLIP);
	}
}

/*
 * Cost of the segment [from, to): the sum of squared deviations from its mean, minus the sum of
 * squared values. The latter, added over all segments, is the same for every segmentation.
 */
static double segment_cost(const double *sum, size_t from, size_t to)
{
	double whole = sum[to] - sum[from];

	return -whole * whole / (double)(to - from);
}

/*
 * PELT: for each t, finds the least cost of the first t values, and the index at which the final
 * segment of these values begins. A candidate that is beaten at t can still be best up to t +
 * LASTING: each segment has at least LASTING values.
 */
static void find_segments(const double *sum, size_t n, double penalty, double *least, size_t *begin,
			  size_t *open, size_t *beaten)
{
	size_t nopen = 0;

	least[0] = -penalty;
	for (size_t t = LASTING; t <= n; t++) {
		size_t kept = 0, next = t - LASTING;

		if (next == 0 || next >= LASTING) {
			open[nopen++] = next;
			beaten[next] = SIZE_MAX;
		}
		least[t] = INFINITY;
		for (size_t i = 0; i < nopen; i++) {
			double value = least[open[i]] + segment_cost(sum, open[i], t) + penalty;

			if (value < least[t]) {
				least[t] = value;
				begin[t] = open[i];
			}
		}
		for (size_t i = 0; i < nopen; i++) {
			size_t tau = open[i];

			if (beaten[tau] == SIZE_MAX &&
			    least[tau] + segment_cost(sum, tau, t) >= least[t])
				beaten[tau] = t;
			if (beaten[tau] == SIZE_MAX || t < beaten[tau] + LASTING)
				open[kept++] = tau;
		}
		nopen = kept;
	}
}

/* ---- changes ---- */

/*
 * Sets *middle to the median of x[from] to x[to - 1], and `values` to the exponentials of these
 * values. Returns -1 without memory.
 */
static double read_segment(const double *x, size_t from, size_t to, struct series *values)
{
	double middle;

	*values = (struct series){ memory_new(to - from, sizeof(*x)), to - from, to - from };
	memcpy(values->s, x + from, values->n * sizeof(*x));
	middle = median(values->s, values->n); /* sorts */
	for (size_t i = from; i < to; i++)
		values->s[i - from] = exp(x[i] - x[0]);
	return middle;
}

/* Describes the change at `at` between segments [from, at) and [at, to). */
static struct change_point describe_change(const double *x, const double *sum, size_t from,
					   size_t at, size_t to)
{
	struct series before, after;
	double here = segment_cost(sum, from, at) + segment_cost(sum, at, to);
	double low = read_segment(x, from, at, &before), high = read_segment(x, at, to, &after);
	struct change_point c = { .at = at, .first = at, .last = at, .effect = high - low };

	c.ratio = median_ratio_interval(&before, &after, SEED);
	for (size_t t = from + 1; t < to; t++)
		if (segment_cost(sum, from, t) + segment_cost(sum, t, to) - here <= RISE) {
			c.first = t < c.first ? t : c.first;
			c.last = t > c.last ? t : c.last;
		}
	series_free(&before);
	series_free(&after);
	return c;
}

/*
 * Returns whether a change stands out from the noise near it. One scale for the whole series is too
 * small where a part of the series is noisier than the rest. There, a change between the segments
 * [from, at) and [at, to) must also pass the penalty with the scale of its noisier side.
 */
static bool stands_out(const double *x, size_t n, size_t from, const struct change_point *c,
		       size_t to, const struct change_points *found, double *room)
{
	double before = (double)(c->at - from), after = (double)(to - c->at);
	size_t first = c->at > NEAR ? c->at - NEAR : 0, end = c->at + NEAR < n ? c->at + NEAR : n;
	double near = fmax(difference_scale(x + first, c->at - first, 1, room),
			   difference_scale(x + c->at, end - c->at, 1, room)) /
		      sqrt(2 * (1 - found->rho));

	return near <= NOISIER * found->scale ||
	       c->effect * c->effect * before * after / (before + after) >
		       found->penalty * near * near;
}

/* Stores the changes that are large and certain enough. Goes through the segments backwards. */
static void keep_changes(const double *x, size_t n, double least, const double *sum,
			 const size_t *begin, struct change_points *found)
{
	struct change_point *list = memory_new(n / LASTING + 1, sizeof(*list));
	double *room = memory_new(n, sizeof(*room));
	size_t k = n / LASTING, to = n;

	for (size_t at = begin[n]; at; at = begin[at]) {
		struct change_point c = describe_change(x, sum, begin[at], at, to);

		if (expm1(fabs(c.effect)) > least && (c.ratio.lo > 1 || c.ratio.hi < 1) &&
		    stands_out(x, n, begin[at], &c, to, found, room))
			list[k--] = c;
		to = at;
	}
	free(room);
	found->at = list;
	for (size_t i = k + 1; i <= n / LASTING; i++)
		list[found->n++] = list[i];
}

void change_points_find(const double *x, size_t n, double least, struct change_points *found)
{
	double *sum = memory_new(n + 1, sizeof(*sum)), *costs = memory_new(n + 1, sizeof(*costs));
	size_t *begin = memory_new(3 * (n + 1), sizeof(*begin));

	*found = (struct change_points){ .scale = NAN, .penalty = NAN };
	if (n >= 2 * LASTING) {
		estimate_scale(x, n, found, costs);
		sum_values(x, n, found->scale, sum);
		find_segments(sum, n, found->penalty, costs, begin, begin + n + 1,
			      begin + 2 * (n + 1));
		keep_changes(x, n, least, sum, begin, found);
	}
	free(sum);
	free(costs);
	free(begin);
}

void change_points_free(struct change_points *found)
{
	free(found->at);
	*found = (struct change_points){ .n = 0 };
}

double smallest_visible_step(const struct change_points *found, size_t n, size_t width)
{
	double w = (double)width, all = (double)n;

	return expm1(found->scale * sqrt(found->penalty * all / (w * (all - w))));
}
