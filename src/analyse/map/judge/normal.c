/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define Z_FAST 4
#define Z_NAMED 4.5
#define WITHIN_SHARE 0.8	/* of the pairs of faster hosts are fast, at least */
#define OTHER_SHARE 0.1		/* of all other pairs are fast, at most */
#define GAP_SPREADS 3		/* between two kinds of hosts, in spreads of either */

/* The fewest faster hosts that are no coincidence. */
static uint32_t fewest(uint32_t n)
{
	return n < 6 ? 2 : (n + 2) / 3;
}

/* ---- faster among themselves ---- */

/* The value of a pair in its slower direction; NaN if it has none. */
static double slower_way(const struct peers *f, uint32_t i, uint32_t j)
{
	return fmin(f->x[(size_t)i * f->n + j], f->x[(size_t)j * f->n + i]);
}

/*
 * Marks hosts with many pairs that are fast in both directions. True if these hosts are enough, but
 * no more than half; their pairs are fast, and other pairs are not.
 */
static bool find_among(struct peers *f, bool *in)
{
	size_t nmarked = 0, n = 0;
	double noise = f->sigma * fit_k(f->m->nvisits), x, fast;
	double share = (fewest(f->n) - 1.0) / (f->n - 1) / 2;
	size_t pairs[2] = { 0 }, nfast[2] = { 0 };	/* of others, of marked hosts */

	for (struct pair_walk w = fit_walk(f, 1); walk_on(&w);) {
		f->work[n] = slower_way(f, w.i, w.j);
		n += !isnan(f->work[n]);
	}
	/* the median is that of the slow majority */
	fast = select_median(f->work, n) + fmax(f->rules->limits.pair, Z_FAST * noise);
	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t met = 0, met_fast = 0;

		for (uint32_t j = 0; j < f->n; j++) {
			x = i == j ? NAN : slower_way(f, i, j);
			met += !isnan(x);
			met_fast += x > fast;
		}
		in[i] = met_fast > share * met;
		nmarked += in[i];
	}
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			bool within = in[i] && in[j];

			x = slower_way(f, i, j);
			pairs[within] += !isnan(x);
			nfast[within] += x > fast;
		}
	}
	return nmarked >= fewest(f->n) && 2 * nmarked <= f->n &&
	       (double)nfast[true] >= WITHIN_SHARE * (double)pairs[true] &&
	       (double)nfast[false] <= OTHER_SHARE * (double)pairs[false];
}

/* ---- faster with all ---- */

/*
 * Marks the hosts above the widest gap between hosts' s, or r, that leaves half of them or more
 * below it. False if the gap is no more than chance, or either side has such gaps itself.
 */
static bool find_gap(struct peers *f, const struct effects *e, struct host_value *at, bool *in)
{
	double gap = 0, noise = 1.2533 * f->sp / sqrt(f->n), centre[2];
	uint32_t n = 0, k = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (e->values.n[i])
			at[n++] = (struct host_value){ e->of[i], i };
	qsort(at, n, sizeof(*at), by_falling_value);
	for (uint32_t i = fewest(f->n); 2 * i <= n; i++) {
		if (at[i - 1].value - at[i].value <= gap)
			continue;
		gap = at[i - 1].value - at[i].value;
		k = i;
	}
	if (!k)
		return false;
	for (uint32_t i = 0; i < n; i++)
		f->work[i] = at[i].value;
	centre[0] = select_median(f->work, k);
	centre[1] = select_median(f->work + k, n - k);
	for (uint32_t i = 0; i < n; i++)
		f->work[i] = at[i].value - centre[i >= k];
	memset(in, 0, f->n * sizeof(*in));
	for (uint32_t i = 0; i < k; i++)
		in[at[i].host] = true;
	return gap > f->rules->limits.host && gap > Z_NAMED * noise &&
	       gap > (centre[0] - centre[1]) / 2 && gap > GAP_SPREADS * spread(f->work, n, 0);
}

/* ---- which hosts, and by how much ---- */

/* The median of pairs from marked or other hosts to marked or other hosts. */
static double median_of(struct peers *f, const bool *in, bool from, bool to)
{
	size_t n = 0;

	for (struct pair_walk w = fit_walk(f, 1); walk_on(&w);)
		if (in[w.i] == from && in[w.j] == to && !isnan(f->x[w.at]))
			f->work[n++] = f->x[w.at];
	return select_median(f->work, n);
}

void normal_check(struct peers *f, struct map_judged *j)
{
	bool *in = scratch_take(f->room, f->n, sizeof(*in));
	struct host_value *at = scratch_take(f->room, f->n, sizeof(*at));
	struct faster *to = &j->faster;
	double within, rest;

	if (!find_among(f, in) && !find_gap(f, &f->s, at, in) && !find_gap(f, &f->r, at, in))
		return;
	within = median_of(f, in, true, true);
	rest = median_of(f, in, false, false);
	if (!(within - rest > f->rules->limits.host))
		return;
	to->by = within - rest;
	to->sending = median_of(f, in, true, false) - rest > to->by / 2;
	to->receiving = median_of(f, in, false, true) - rest > to->by / 2;
	judged_faster(f->room, j, f->n);
	for (uint32_t i = 0; i < f->n; i++)
		if (in[i])
			to->members[to->n++] = matrix_host(f->m, i);
}
