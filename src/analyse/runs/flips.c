/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/flips.h"

#include <math.h>
#include <stdlib.h>

#include "base/values.h"

#define EQUAL 1e-9 /* statistics count as equal within this tolerance, because of rounding */

/* The statistic, or its absolute value in a two-sided test. */
static double magnitude_of(const struct stepdown *s, double statistic)
{
	return s->two_sided ? fabs(statistic) : statistic;
}

/* Sorts the points by insertion, because they are few. */
static void sort_points(struct stepdown *s, const double *statistics)
{
	for (size_t i = 0; i < s->points; i++) {
		double x = magnitude_of(s, statistics[i]);
		size_t j = i;

		for (; j > 0 && s->observed[j - 1] < x; j--) {
			s->observed[j] = s->observed[j - 1];
			s->order[j] = s->order[j - 1];
		}
		s->observed[j] = x;
		s->order[j] = i;
	}
}

void stepdown_open(struct stepdown *s, size_t points, const double *statistics, bool two_sided)
{
	*s = (struct stepdown){
		.points = points,
		.two_sided = two_sided,
		.order = memory_new(points, sizeof(*s->order)),
		.above = memory_new(points, sizeof(*s->above)),
		.observed = memory_new(points, sizeof(*s->observed)),
	};
	sort_points(s, statistics);
	stepdown_add(s, statistics);
}

void stepdown_add(struct stepdown *s, const double *statistics)
{
	double most = -INFINITY;

	for (size_t j = s->points; j-- > 0;) {
		most = fmax(most, magnitude_of(s, statistics[s->order[j]]));
		s->above[j] += most >= s->observed[j] - EQUAL;
	}
	s->sets++;
}

void stepdown_p_values(const struct stepdown *s, double *p)
{
	double most = 0;

	for (size_t j = 0; j < s->points; j++)
		p[s->order[j]] = most = fmax(most, (double)s->above[j] / (double)s->sets);
}

void stepdown_free(struct stepdown *s)
{
	free(s->order);
	free(s->above);
	free(s->observed);
	*s = (struct stepdown){ 0 };
}
