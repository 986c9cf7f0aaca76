/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/groups.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyse/runs/flips.h"
#include "analyse/runs/quantile.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/stats.h"
#include "base/values.h"

#define ALL_LABELS 11 /* with up to this number of runs, all relabellings are tried */
#define DRAWN_LABELS 9999 /* with more runs, this number of random relabellings is tried */
#define SEED 2026

/* ---- (R9), (R10), (R11) ---- */

struct run_median run_median(double *y, size_t n)
{
	struct series all = { .s = y, .n = n };
	struct run_median m = { NAN, NAN, NAN, series_depends(&all) };
	size_t l, u;

	if (!n)
		return m;
	m.middle = median(y, n);	/* sorts */
	if (!m.depends && !quantile_ranks(n, 0.5, &l, &u)) {
		m.lo = y[l - 1];
		m.hi = y[u - 1];
	}
	return m;
}

struct run_spread run_spread(const double *y, size_t n)
{
	double squares = 0;

	if (n < 2)
		return (struct run_spread){ NAN, NAN };
	for (size_t i = 1; i < n; i++)
		squares += (y[i] - y[i - 1]) * (y[i] - y[i - 1]);
	return (struct run_spread){ sqrt(squares / (double)(n - 1)), 2 * (double)(n - 1) / 3 };
}

double visible_slowdown(struct run_spread spread, size_t blocks)
{
	static const struct {
		double n, c;
	} steps[] = { { 8, 6 }, { 12, 5.2 }, { 20, 4.6 }, { 40, 4.2 } };
	const size_t last = sizeof(steps) / sizeof(steps[0]) - 1;
	double n = (double)blocks, c = n <= steps[0].n ? steps[0].c : steps[last].c;
	double s = spread.s * sqrt(spread.nu / chi_squared_quantile(0.2, spread.nu));

	for (size_t i = 0; i < last; i++)
		if (n >= steps[i].n && n < steps[i + 1].n)
			c = steps[i].c + (steps[i + 1].c - steps[i].c) * (n - steps[i].n) /
						 (steps[i + 1].n - steps[i].n);
	return expm1(c * s / sqrt(n));
}

double finding_limit(struct run_spread spread, size_t points)
{
	return student_quantile(1 - 0.025 / (double)points, spread.nu) * spread.s;
}

/* ---- (R12) ---- */

/*
 * Computes the scores z of (R12): each run's contribution to the statistic of a point. The scores
 * of both groups together have a sum of squares of 1.
 */
static void compute_scores(const struct run_groups *g, size_t point, double *sizes, double *z)
{
	size_t n = g->na + g->nb;
	double squares = 0, centre, most;

	for (size_t i = 0; i < n; i++)
		sizes[i] = z[i] = i < g->na ? g->a[point * g->na + i]
					    : g->b[point * g->nb + i - g->na];
	centre = median(sizes, n);
	for (size_t i = 0; i < n; i++)
		sizes[i] = fabs(z[i] -= centre);
	most = 3 * median(sizes, n);
	for (size_t i = 0; i < n; i++) {
		z[i] = copysign(fmin(fabs(z[i]), most), z[i]);
		squares += z[i] * z[i];
	}
	for (size_t i = 0; i < n; i++)
		z[i] = squares > 0 ? z[i] / sqrt(squares) : 0;
}

/*
 * Writes for each point the mean score of group B minus that of group A. label[i] is 1 if run i
 * counts as a run of B.
 */
static void compute_differences(const struct run_groups *g, const double *z,
				const unsigned char *label, double *statistics)
{
	size_t n = g->na + g->nb;

	for (size_t p = 0; p < g->points; p++) {
		double sum[2] = { 0, 0 };

		for (size_t i = 0; i < n; i++)
			sum[label[i]] += z[p * n + i];
		statistics[p] = sum[1] / (double)g->nb - sum[0] / (double)g->na;
	}
}

/*
 * Tries every choice of nb of the n runs as group B. Skips the actual choice, which is the final nb
 * runs.
 */
static void try_all_labels(const struct run_groups *g, const double *z, unsigned char *label,
			   double *statistics, struct stepdown *s)
{
	size_t n = g->na + g->nb;

	for (uint32_t f = 0; f < 1u << n; f++) {
		if ((size_t)__builtin_popcount(f) != g->nb || f == ((1u << g->nb) - 1) << g->na)
			continue;
		for (size_t i = 0; i < n; i++)
			label[i] = f >> i & 1;
		compute_differences(g, z, label, statistics);
		stepdown_add(s, statistics);
	}
}

/* Tries random choices of nb of the n runs as group B. */
static void try_drawn_labels(const struct run_groups *g, const double *z, unsigned char *label,
			double *statistics, struct stepdown *s)
{
	size_t n = g->na + g->nb;
	uint32_t *order = memory_new(n, sizeof(*order));
	struct rng rng;

	rng_seed(&rng, SEED);
	for (int draw = 0; draw < DRAWN_LABELS; draw++) {
		rng_permutation(&rng, order, n);
		for (size_t i = 0; i < n; i++)
			label[order[i]] = i >= g->na;
		compute_differences(g, z, label, statistics);
		stepdown_add(s, statistics);
	}
	free(order);
}

/*
 * Sets the shift: the median of the differences of all pairs of a run of A and a run of B. The
 * bounds are the k-th difference from either end.
 */
static void set_shift(const double *a, size_t na, const double *b, size_t nb,
		      struct group_shift *out)
{
	size_t n = na * nb, k = mann_whitney_bound(na, nb, 0.05);
	double *d = memory_new(n, sizeof(*d));

	for (size_t i = 0; i < n; i++)
		d[i] = b[i % nb] - a[i / nb];
	out->ratio = exp(median(d, n)); /* sorts */
	out->lo = k ? exp(d[k - 1]) : NAN;
	out->hi = k ? exp(d[n - k]) : NAN;
	free(d);
}

void groups_judge(const struct run_groups *g, struct group_shift *out)
{
	size_t n = g->na + g->nb;
	double *z = memory_new(g->points * (n + 2) + n, sizeof(*z));
	unsigned char *label = memory_new(n, sizeof(*label));
	double *statistics = z + g->points * n, *p = statistics + g->points;
	struct stepdown s;

	for (size_t i = 0; i < g->points; i++) {
		compute_scores(g, i, p + g->points, z + i * n);
		set_shift(g->a + i * g->na, g->na, g->b + i * g->nb, g->nb, &out[i]);
	}
	for (size_t i = 0; i < n; i++)
		label[i] = i >= g->na;
	compute_differences(g, z, label, statistics);
	stepdown_open(&s, g->points, statistics, true);
	(n <= ALL_LABELS ? try_all_labels : try_drawn_labels)(g, z, label, statistics, &s);
	stepdown_p_values(&s, p);
	for (size_t i = 0; i < g->points; i++)
		out[i].p = p[i];
	stepdown_free(&s);
	free(label);
	free(z);
}

/* ---- (R13) ---- */

/*
 * Copies the values of one point in n nights to x. If n is above NIGHTS_AGAINST_WEEK, subtracts
 * from each value the median of the seven nights before it, and drops the first seven nights.
 * Returns the number of values.
 */
static size_t copy_nights_of_point(const double *y, size_t n, size_t points, size_t point,
				   double *x)
{
	double week[7];
	size_t first = n > NIGHTS_AGAINST_WEEK ? 7 : 0;

	for (size_t j = first; j < n; j++) {
		for (size_t i = 0; i < 7 && first; i++)
			week[i] = y[(j - 7 + i) * points + point];
		x[j - first] = y[j * points + point] - (first ? median(week, 7) : 0);
	}
	return n - first;
}

/*
 * Judges the final night by rank. u[j] is the largest deviation of night j over the points, in
 * MADs.
 */
static void judge_by_rank(const double *y, size_t nights, size_t points, double *room,
			  struct night *out)
{
	double *x = room, *sorted = x + nights + 1, *u = sorted + nights + 1, tonight = -INFINITY;
	size_t n = 0, as_bad = 0;

	for (size_t p = 0; p < points; p++) {
		double centre, scale;

		n = copy_nights_of_point(y, nights + 1, points, p, x);
		for (size_t j = 0; j < n; j++)
			sorted[j] = x[j];
		centre = median(sorted, n);
		scale = spread(sorted, n, centre);
		for (size_t j = 0; j < n; j++) {
			double v = x[j] > centre   ? (x[j] - centre) / scale
				   : x[j] < centre ? -(centre - x[j]) / scale
						   : 0;

			u[j] = p ? fmax(u[j], v) : v;
			if (j == n - 1 && v > tonight) {
				tonight = v;
				out->point = p;
			}
		}
	}
	for (size_t j = 0; j < n; j++)
		as_bad += u[j] >= u[n - 1];
	out->p = (double)as_bad / (double)n;
}

/* Judges the final night by a limit from Student's t. Used if there are few nights. */
static void judge_by_limit(const double *y, size_t nights, size_t points, struct night *out)
{
	double n = (double)nights, worst = -INFINITY;
	double t = student_quantile(1 - 0.05 / (double)points, n - 1);

	for (size_t p = 0; p < points; p++) {
		double mean = 0, squares = 0, beyond;

		for (size_t j = 0; j < nights; j++)
			mean += y[j * points + p] / n;
		for (size_t j = 0; j < nights; j++)
			squares += (y[j * points + p] - mean) * (y[j * points + p] - mean);
		beyond = y[nights * points + p] - mean - t * sqrt(squares / (n - 1) * (1 + 1 / n));
		if (beyond > worst) {
			worst = beyond;
			out->point = p;
		}
	}
	out->p = worst > 0 ? 0.05 : 1;
}

void night_judge(const double *y, size_t nights, size_t points, double margin, struct night *out)
{
	double *room = memory_new(3 * (nights + 1), sizeof(*room));

	*out = (struct night){ .p = NAN, .excess = NAN };
	if (nights >= NIGHTS_BY_RANK)
		judge_by_rank(y, nights, points, room, out);
	else if (nights >= FEWEST_NIGHTS)
		judge_by_limit(y, nights, points, out);
	if (nights >= FEWEST_NIGHTS) {
		/* of the final night over the median of the nights before it, as a logarithm */
		for (size_t j = 0; j < nights; j++)
			room[j] = y[j * points + out->point];
		out->excess = y[nights * points + out->point] - median(room, nights);
		out->alarm = out->p <= 0.05 && out->excess > log1p(margin);
	}
	free(room);
}
