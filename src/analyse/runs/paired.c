/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/paired.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyse/runs/flips.h"
#include "analyse/runs/quantile.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/values.h"

/* with up to this number n of blocks, try_all_signs() tries all 2^n sign combinations */
#define ALL_SIGNS 13
/*
 * with more blocks, try_drawn_signs() tries this number of random combinations besides the actual
 * one
 */
#define DRAWN_SIGNS 9999
#define SEED 2026

/* ---- (R3): one point ---- */

/* Copies d[0] to d[n - 1], without NaN, to x. Returns the number of values. */
static size_t copy_numbers(const double *d, size_t n, double *x)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(d[i]))
			x[k++] = d[i];
	return k;
}

/* Estimates the ratio at a point, its interval and its upper bound at level `alpha`. */
static void estimate_point(const double *d, size_t n, double alpha, struct paired_point *out)
{
	double *x = memory_new(n + n * (n + 1) / 2, sizeof(*x)), *walsh = x + n;
	size_t k, m = 0;

	n = copy_numbers(d, n, x);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			walsh[m++] = midpoint(x[i], x[j]);
	sort_doubles(walsh, m);
	if (m > 0) {
		out->effect = m % 2 ? walsh[m / 2] : midpoint(walsh[m / 2 - 1], walsh[m / 2]);
		out->ratio = exp(out->effect);
	}
	if ((k = signed_rank_bound(n, 0.05)) > 0) {
		out->lo = exp(walsh[k - 1]);
		out->hi = exp(walsh[m - k]);
		out->half = (walsh[m - k] - walsh[k - 1]) / 2;
	}
	if ((k = signed_rank_bound(n, alpha)) > 0)
		out->upper = exp(walsh[m - k]);
	free(x);
}

/* ---- (R4), (R5): all points ---- */

/*
 * Sets x[point * blocks + block] to the terms of S_p in (R4), for the differences minus `shift`.
 * `sizes` is working memory.
 */
static void compute_statistic_terms(const struct run_blocks *b, double shift, double *sizes,
				    double *x)
{
	for (size_t p = 0; p < b->points; p++, x += b->blocks) {
		double squares = 0, most;

		for (size_t i = 0; i < b->blocks; i++) {
			double d = b->d[p * b->blocks + i];

			x[i] = isnan(d) ? 0 : d - shift;
			sizes[i] = fabs(x[i]);
		}
		most = (b->blocks < 12 ? 3 : 1.5) * median(sizes, b->blocks);	/* (R4): c */
		for (size_t i = 0; i < b->blocks; i++) {
			x[i] = copysign(fmin(fabs(x[i]), most), x[i]);
			squares += x[i] * x[i];
		}
		for (size_t i = 0; i < b->blocks; i++)
			x[i] = squares > 0 ? x[i] / sqrt(squares) : 0;
	}
}

/* Tries all sign combinations except the actual one. A Gray code flips one block at a time. */
static void try_all_signs(const struct run_blocks *b, const double *x, double *sign, double *sums,
			  struct stepdown *s)
{
	for (uint32_t f = 1; f < 1u << b->blocks; f++) {
		size_t flipped = (size_t)__builtin_ctz(f);

		sign[flipped] = -sign[flipped];
		for (size_t p = 0; p < b->points; p++)
			sums[p] += 2 * sign[flipped] * x[p * b->blocks + flipped];
		stepdown_add(s, sums);
	}
}

/* Tries random sign combinations. */
static void try_drawn_signs(const struct run_blocks *b, const double *x, double *sums,
			    struct stepdown *s)
{
	struct rng rng;

	rng_seed(&rng, SEED);
	for (int draw = 0; draw < DRAWN_SIGNS; draw++) {
		for (size_t p = 0; p < b->points; p++)
			sums[p] = 0;
		for (size_t i = 0; i < b->blocks; i++) {
			double sign = rng_next(&rng) >> 63 ? 1 : -1;

			for (size_t p = 0; p < b->points; p++)
				sums[p] += sign * x[p * b->blocks + i];
		}
		stepdown_add(s, sums);
	}
}

/* Sets p[point] to the adjusted p-value of each point (R5), for the differences minus `shift`. */
static void adjust_p_values(const struct run_blocks *b, double shift, bool two_sided, double *p)
{
	size_t n = b->blocks;
	double *room = memory_new(b->points * n + 2 * n + b->points, sizeof(*room));
	double *x = room, *sign = x + b->points * n, *sizes = sign + n, *sums = sizes + n;
	struct stepdown s;

	compute_statistic_terms(b, shift, sizes, x);
	for (size_t i = 0; i < n; i++) {
		sign[i] = 1;
		for (size_t q = 0; q < b->points; q++)
			sums[q] += x[q * n + i];
	}
	stepdown_open(&s, b->points, sums, two_sided);
	if (n <= ALL_SIGNS)
		try_all_signs(b, x, sign, sums, &s);
	else
		try_drawn_signs(b, x, sums, &s);
	stepdown_p_values(&s, p);
	stepdown_free(&s);
	free(room);
}

/* ---- (R7) ---- */

int paired_judge(const struct run_blocks *b, double margin, double alpha, struct paired_point *out)
{
	double *p = memory_new(2 * b->points, sizeof(*p)), *worse = p + b->points;
	bool any_worse = false, none_worse = true;

	for (size_t i = 0; i < b->points; i++) {
		out[i] = (struct paired_point){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
		estimate_point(b->d + i * b->blocks, b->blocks, alpha, &out[i]);
	}
	adjust_p_values(b, 0, true, p);
	adjust_p_values(b, log1p(margin), false, worse);
	for (size_t i = 0; i < b->points; i++) {
		out[i].p = p[i];
		out[i].p_worse = worse[i];
		any_worse |= worse[i] <= alpha / 2;
		none_worse &= out[i].upper < 1 + margin;
	}
	free(p);
	if (b->blocks < FEWEST_BLOCKS || !b->points)
		return PAIRED_CANNOT_TELL;
	return any_worse ? PAIRED_WORSE : none_worse ? PAIRED_NOT_WORSE : PAIRED_CANNOT_TELL;
}

/* ---- (R6), (R8) ---- */

static const struct look_alpha {
	size_t n;
	double alpha;
} looks[] = {
	{ 8, .01 },   { 12, .01 },  { 18, .01 },   { 27, .005 },
	{ 40, .005 }, { 60, .005 }, { 90, .0025 },
};

double interim_level(size_t n, double used, bool last)
{
	if (last)
		return 0.05 - used;
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (looks[i].n == n)
			return looks[i].alpha;
	return NAN;
}

size_t interim_next(size_t n)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (looks[i].n > n)
			return looks[i].n;
	return 0;
}

size_t paired_needed(const struct run_blocks *b, double margin, const struct paired_point *points)
{
	double most = 0;

	for (size_t i = 0; i < b->points; i++) {
		double distance = fabs(points[i].effect - log1p(margin)), half = points[i].half;

		if (half < distance)
			continue;
		if (!(distance >= half / 3))
			return (size_t)-1;
		most = fmax(most, ceil((double)b->blocks * (half / distance) * (half / distance)));
	}
	return (size_t)most;
}
