/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define Z_FAST 4
#define Z_NAMED 4.5
#define WITHIN_SHARE 0.8	/* of the pairs of faster hosts are fast */
#define OTHER_SHARE 0.1		/* of all other pairs, at most */
#define GAP_SPREADS 3		/* between two kinds of hosts, in spreads of either */

/* The fewest faster hosts that are no chance. */
static uint32_t fewest(uint32_t n)
{
	return n < 6 ? 2 : (n + 2) / 3;
}

/* ---- faster among themselves ---- */

/* What a pair has in its slower direction; NaN if it has no value. */
static double slower_way(const struct peers *f, uint32_t i, uint32_t j)
{
	return fmin(f->x[(size_t)i * f->n + j], f->x[(size_t)j * f->n + i]);
}

/* The median of all pairs: what the slow majority has. */
static double median_pair(struct peers *f)
{
	size_t cells = (size_t)f->n * f->n, stride = fit_stride(f, 1), n = 0;

	for (size_t at = 0; at < cells; at += stride) {
		double x = slower_way(f, (uint32_t)(at / f->n), (uint32_t)(at % f->n));

		if (!isnan(x))
			f->work[n++] = x;
	}
	return select_median(f->work, n);
}

/* Marks hosts of which many pairs are fast, in both directions; returns how many. */
static uint32_t mark_fast(const struct peers *f, double fast, bool *in)
{
	double share = (fewest(f->n) - 1.0) / (f->n - 1) / 2;
	uint32_t marked = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t met = 0, n = 0;

		for (uint32_t j = 0; j < f->n; j++) {
			double x = i == j ? NAN : slower_way(f, i, j);

			met += !isnan(x);
			n += x > fast;
		}
		in[i] = n > share * met;
		marked += in[i];
	}
	return marked;
}

/* True if pairs of marked hosts are fast, and no others. */
static bool are_apart(const struct peers *f, double fast, const bool *in)
{
	size_t pairs[2] = { 0 }, n[2] = { 0 };

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			double x = slower_way(f, i, j);
			bool within = in[i] && in[j];

			pairs[within] += !isnan(x);
			n[within] += x > fast;
		}
	}
	return (double)n[true] >= WITHIN_SHARE * (double)pairs[true] &&
	       (double)n[false] <= OTHER_SHARE * (double)pairs[false];
}

static bool find_among(struct peers *f, const struct thresholds *limits, bool *in)
{
	double noise = f->sigma * fit_k(f->m->nvisits);
	double fast = median_pair(f) + fmax(limits->pair, Z_FAST * noise);
	uint32_t n = mark_fast(f, fast, in);

	return n >= fewest(f->n) && 2 * n <= f->n && are_apart(f, fast, in);
}

/* ---- faster with all ---- */

struct host_speed {
	double x;
	uint32_t host;
};

static int by_speed(const void *a, const void *b)
{
	const struct host_speed *x = a, *y = b;

	return order_doubles(y->x, x->x);
}

/* True if the fastest k hosts are apart from the rest, and neither side falls apart itself. */
static bool is_gap(struct peers *f, const struct thresholds *limits, const struct host_speed *at,
		   uint32_t n, uint32_t k)
{
	double gap = at[k - 1].x - at[k].x, noise = 1.2533 * f->sp / sqrt(f->n), centre[2];

	for (uint32_t i = 0; i < n; i++)
		f->work[i] = at[i].x;
	centre[0] = select_median(f->work, k);
	centre[1] = select_median(f->work + k, n - k);
	for (uint32_t i = 0; i < n; i++)
		f->work[i] = at[i].x - centre[i >= k];
	return gap > limits->host && gap > Z_NAMED * noise && gap > (centre[0] - centre[1]) / 2 &&
	       gap > GAP_SPREADS * spread(f->work, n, 0);
}

/* The widest gap between hosts' s, or r, that leaves half of them or more below it. */
static bool find_gap(struct peers *f, const struct thresholds *limits, const struct sample *sample,
		     const double *of, struct host_speed *at, bool *in)
{
	uint32_t n = 0, k = 0;
	double gap = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (sample->n[i])
			at[n++] = (struct host_speed){ of[i], i };
	qsort(at, n, sizeof(*at), by_speed);
	for (uint32_t i = fewest(f->n); 2 * i <= n; i++) {
		if (at[i - 1].x - at[i].x <= gap)
			continue;
		gap = at[i - 1].x - at[i].x;
		k = i;
	}
	if (!k || !is_gap(f, limits, at, n, k))
		return false;
	memset(in, 0, f->n * sizeof(*in));
	for (uint32_t i = 0; i < k; i++)
		in[at[i].host] = true;
	return true;
}

/* ---- who, and by how much ---- */

/* The median of what hosts that are marked, or not, send to those that are, or not. */
static double median_of(struct peers *f, const bool *in, bool from, bool to)
{
	size_t cells = (size_t)f->n * f->n, stride = fit_stride(f, 1), n = 0;

	for (size_t at = 0; at < cells; at += stride)
		if (in[at / f->n] == from && in[at % f->n] == to && !isnan(f->x[at]))
			f->work[n++] = f->x[at];
	return select_median(f->work, n);
}

static int tell(struct peers *f, const struct thresholds *limits, const bool *in,
		struct map_judged *j)
{
	double within = median_of(f, in, true, true), rest = median_of(f, in, false, false);
	struct faster *to = &j->faster;

	if (!(within - rest > limits->host))
		return ST_OK;
	to->members = calloc(f->n, sizeof(*to->members));
	if (!to->members)
		return error_report("no memory for a group of %u hosts", f->n);
	to->by = within - rest;
	to->sending = median_of(f, in, true, false) - rest > to->by / 2;
	to->receiving = median_of(f, in, false, true) - rest > to->by / 2;
	for (uint32_t i = 0; i < f->n; i++)
		if (in[i])
			to->members[to->n++] = matrix_host(f->m, i);
	j->why = NO_NORMAL;
	return ST_OK;
}

int normal_check(struct peers *f, const struct thresholds *limits, struct map_judged *j)
{
	bool *in = calloc(f->n, sizeof(*in));
	struct host_speed *at = calloc(f->n, sizeof(*at));
	int err = in && at ? ST_OK : error_report("no memory to judge %u hosts", f->n);

	if (!err && (find_among(f, limits, in) ||
		     find_gap(f, limits, &f->rows, f->s, at, in) ||
		     find_gap(f, limits, &f->cols, f->r, at, in)))
		err = tell(f, limits, in, j);
	free(in);
	free(at);
	return err;
}
