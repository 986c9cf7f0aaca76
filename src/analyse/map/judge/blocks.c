/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HOSTS 512		/* with more hosts, this number is drawn at random */
#define CLIP 0.7		/* residuals, which are logarithms, are clipped at +-CLIP */
/* find_direction(): number of steps, and the shift in units of the largest row sum of |E| */
#define STEPS 60
#define SHIFT 0.3
#define SIDE_LEAST 3 /* estimate_block_effect(): fewest hosts that the named side must have */
/* smallest share of all values that must be on the expected side of the midpoint */
#define RIGHT_SHARE 0.75
/* smallest share of the values within a side, or of the pairs of faster hosts */
#define WITHIN_SHARE 0.8
#define ODD_LEAST 4 /* mark_odd_hosts(): an odd host needs this number of other hosts on its side */
#define HOSTS_LEAST 0.005	/* smallest standard error, as in (6) */

/* The hosts that were drawn, and the residuals of their pairs. */
struct drawn_hosts {
	uint32_t *host, n;
	double *e;		/* [n][n], symmetric, zero on the diagonal */
	double *v, *next;
};

/* Residual of a pair: the mean of the clipped residuals of both directions. */
static double residual_both_ways(const struct peers *f, uint32_t i, uint32_t j)
{
	double sum = 0;

	for (int back = 0; back < 2 && i != j; back++) {
		double e = back ? fit_residual(f, j, i) : fit_residual(f, i, j);

		sum += isnan(e) ? 0 : fmax(-CLIP, fmin(CLIP, e));
	}
	return sum / 2;
}

/*
 * Finds the vector v by power iteration: 60 steps of v = (E + shift) v. Each step makes v
 * orthogonal to (1, 1, ...) and of length 1.
 */
static void find_direction(struct drawn_hosts *w, struct rng *rng)
{
	double shift = 0, sum, mean, length;

	for (uint32_t i = 0; i < w->n; i++) {
		sum = 0;
		for (uint32_t j = 0; j < w->n; j++)
			sum += fabs(w->e[i * w->n + j]);
		shift = fmax(shift, SHIFT * sum);
		w->v[i] = (double)(rng_next(rng) >> 11) * 0x1p-53 - 0.5;
	}
	for (int step = 0; step < STEPS; step++) {
		mean = length = 0;
		for (uint32_t i = 0; i < w->n; i++) {
			w->next[i] = shift * w->v[i];
			for (uint32_t j = 0; j < w->n; j++)
				w->next[i] += w->e[i * w->n + j] * w->v[j];
			mean += w->next[i] / w->n;
		}
		for (uint32_t i = 0; i < w->n; i++)
			length += pow(w->next[i] - mean, 2);
		for (uint32_t i = 0; i < w->n && length > 0; i++)
			w->v[i] = (w->next[i] - mean) / sqrt(length);
	}
}

/* Puts each host on a side by the sign of v. Extends v to the hosts that were not drawn. */
static void choose_sides(const struct peers *f, const struct drawn_hosts *w, struct blocks *b)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		double sum = 0;

		for (uint32_t k = 0; k < w->n; k++)
			if (w->n < f->n)
				sum += residual_both_ways(f, i, w->host[k]) * w->v[k];
			else if (w->host[k] == i)
				sum = w->v[k];
		b->other[i] = sum < 0;
		others += sum < 0;
	}
	b->nnamed = f->n - others;
	if (others < b->nnamed || (others == b->nnamed && b->other[0])) {
		b->nnamed = others;
		for (uint32_t i = 0; i < f->n; i++)
			b->other[i] = !b->other[i];
	}
}

/*
 * Marks as odd, on each side, the host that fits its side worst. That host may have a fault of its
 * own.
 */
static void mark_odd_hosts(const struct peers *f, const struct blocks *b, double mid, bool *odd)
{
	const struct sample *s = &f->s.values;
	double least[2] = { 0.5, 0.5 };
	uint32_t host[2] = { f->n, f->n };

	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t n = 0, above = 0, side = b->other[i];

		for (uint32_t k = 0; k < s->n[i]; k++) {
			bool within = b->other[s->who[sample_at(s, i, k)]] == b->other[i];

			n += within;
			above += within && s->x[sample_at(s, i, k)] > mid;
		}
		if (n < ODD_LEAST || (double)above >= least[side] * n)
			continue;
		least[side] = (double)above / n;
		host[side] = i;
	}
	for (int side = 0; side < 2; side++)
		if (host[side] < f->n)
			odd[host[side]] = true;
}

/*
 * Returns the median of the values within the sides if `within` is true, else of those between the
 * sides.
 */
static double median_by_side(const struct peers *f, const struct blocks *b, bool within)
{
	size_t n = 0;

	for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);)
		if (!isnan(f->x[w.at]) && (b->other[w.i] == b->other[w.j]) == within)
			f->work[n++] = f->x[w.at];
	return select_median(f->work, n);
}

/*
 * Returns the median of host i's values with the hosts of one side: the unnamed side if `other` is
 * true.
 */
static double median_with_side(const struct peers *f, const struct blocks *b, uint32_t i,
			       bool other)
{
	const struct sample *s = &f->s.values;
	size_t n = 0;

	for (uint32_t k = 0; k < s->n[i]; k++)
		if (b->other[s->who[sample_at(s, i, k)]] == other)
			f->work[n++] = s->x[sample_at(s, i, k)];
	return select_median(f->work, n);
}

/*
 * Moves the odd host of the named side to the other side if it is about equally slow with both. The
 * values of such a host do not show to which side it belongs. Moves none if both sides have about
 * the same size.
 */
static void move_odd_hosts(const struct peers *f, struct blocks *b, const bool *odd)
{
	uint32_t n[2] = { 0 };

	for (uint32_t i = 0; i < f->n; i++)
		n[b->other[i]] += !odd[i];
	if (3 * n[false] > 2 * n[true])	/* the named side is not clearly smaller */
		return;
	for (uint32_t i = 0; i < f->n; i++) {
		double own, rest;

		if (!odd[i] || b->other[i])
			continue;
		own = median_with_side(f, b, i, false);
		rest = median_with_side(f, b, i, true);
		if (own - rest > b->effect / 2)
			continue;
		b->other[i] = true;
		b->nnamed--;
	}
}

/*
 * Sets the effect of the boundary between the sides, and its standard error. Returns false if there
 * is no boundary.
 */
static bool estimate_block_effect(struct peers *f, struct blocks *b, bool *odd)
{
	enum { NAMED, OTHER, BETWEEN, NPLACES };
	double within = median_by_side(f, b, true), between = median_by_side(f, b, false);
	double mid = midpoint(within, between), all, right;
	size_t n[NPLACES] = { 0 }, above[NPLACES] = { 0 };

	mark_odd_hosts(f, b, mid, odd);
	for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);) {
		int place = b->other[w.i] != b->other[w.j] ? BETWEEN : b->other[w.i];

		if (isnan(f->x[w.at]) || odd[w.i] || odd[w.j])
			continue;
		n[place]++;
		above[place] += f->x[w.at] > mid;
	}
	all = (double)(n[NAMED] + n[OTHER] + n[BETWEEN]);
	right = (double)(above[NAMED] + above[OTHER] + n[BETWEEN] - above[BETWEEN]);
	b->effect = within - between;
	b->se = sqrt(1.57 * f->sp * f->sp * (1 / (double)(n[NAMED] + n[OTHER]) +
					     1 / (double)n[BETWEEN]) + HOSTS_LEAST * HOSTS_LEAST);
	if (b->nnamed < SIDE_LEAST || !(b->effect >= f->rules->limits.pair) ||
	    (double)above[NAMED] < WITHIN_SHARE * (double)n[NAMED] ||
	    (double)above[OTHER] < WITHIN_SHARE * (double)n[OTHER] ||
	    !(right >= RIGHT_SHARE * all))
		return false;
	move_odd_hosts(f, b, odd);
	return b->nnamed >= SIDE_LEAST;
}

struct blocks blocks_find(struct peers *f)
{
	struct drawn_hosts w = { .n = f->n < MOST_HOSTS ? f->n : MOST_HOSTS };
	struct blocks b = { .other = scratch_take(f->room, f->n, sizeof(*b.other)) };
	bool *odd = scratch_take(f->room, f->n, sizeof(*odd));
	struct rng rng;
	double all = 0;

	fit_centre_visits(f);
	fit_median_polish(f);
	w.host = scratch_take(f->room, f->n, sizeof(*w.host));
	w.e = scratch_take(f->room, (size_t)w.n * w.n, sizeof(*w.e));
	w.v = scratch_take(f->room, w.n, sizeof(*w.v));
	w.next = scratch_take(f->room, w.n, sizeof(*w.next));
	rng_seed(&rng, f->rules->seed);
	rng_permutation(&rng, w.host, f->n);
	for (uint32_t i = 0; i < w.n; i++) {
		for (uint32_t j = 0; j < w.n; j++)
			w.next[i] += w.e[i * w.n + j] = residual_both_ways(f, w.host[i], w.host[j]);
		w.next[i] /= w.n - 1;
		all += w.next[i] / w.n;
	}
	for (uint32_t i = 0; i < w.n; i++)
		for (uint32_t j = 0; j < w.n; j++)
			w.e[i * w.n + j] -= i == j ? 0 : w.next[i] + w.next[j] - all;
	find_direction(&w, &rng);
	choose_sides(f, &w, &b);
	if (!estimate_block_effect(f, &b, odd))
		b.nnamed = 0;
	return b;
}

/* ---- whether most hosts are alike ---- */

#define Z_FAST 4
#define Z_NAMED 4.5
#define OTHER_SHARE 0.1		/* largest share of the other pairs that may be fast */
/* smallest gap between two kinds of hosts, as a multiple of the spread within the kinds */
#define GAP_SPREADS 3

/* Returns the smallest number of faster hosts that is no coincidence. */
static uint32_t fewest_faster(uint32_t n)
{
	return n < 6 ? 2 : (n + 1) / 3;
}

/* ---- faster only among themselves ---- */

/* Value of a pair in its slower direction; NaN if the pair has no value. */
static double slower_direction_value(const struct peers *f, uint32_t i, uint32_t j)
{
	return fmin(f->x[(size_t)i * f->n + j], f->x[(size_t)j * f->n + i]);
}

/*
 * Marks hosts with many pairs that are fast in both directions. Returns true on three conditions.
 * There are enough marked hosts, but at most half of all. Most pairs among them are fast. Few other
 * pairs are fast.
 */
static bool find_mutually_fast_hosts(struct peers *f, bool *in)
{
	size_t nmarked = 0, n = 0;
	double noise = f->sigma * median_deviation(f->m->nvisits), x, fast;
	double share = (fewest_faster(f->n) - 1.0) / (f->n - 1) / 2;
	/* [true]: pairs of two marked hosts; [false]: other pairs */
	size_t pairs[2] = { 0 }, nfast[2] = { 0 };

	for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);) {
		f->work[n] = slower_direction_value(f, w.i, w.j);
		n += !isnan(f->work[n]);
	}
	/* most pairs are slow, so the median is a slow pair's value */
	fast = select_median(f->work, n) + fmax(f->rules->limits.pair, Z_FAST * noise);
	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t met = 0, met_fast = 0;

		for (uint32_t j = 0; j < f->n; j++) {
			x = i == j ? NAN : slower_direction_value(f, i, j);
			met += !isnan(x);
			met_fast += x > fast;
		}
		in[i] = met_fast > share * met;
		nmarked += in[i];
	}
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			bool within = in[i] && in[j];

			x = slower_direction_value(f, i, j);
			pairs[within] += !isnan(x);
			nfast[within] += x > fast;
		}
	}
	return nmarked >= fewest_faster(f->n) && 2 * nmarked <= f->n &&
	       (double)nfast[true] >= WITHIN_SHARE * (double)pairs[true] &&
	       (double)nfast[false] <= OTHER_SHARE * (double)pairs[false];
}

/* ---- faster with all hosts ---- */

/*
 * Sorts the hosts by s or by r, and marks those above the widest gap. At least half of the hosts
 * must be below the gap. Returns false if chance explains the gap, or if the values on either side
 * of it spread too widely.
 */
static bool find_hosts_above_gap(struct peers *f, const struct effects *e, struct host_value *at,
				 bool *in)
{
	double gap = 0, noise = 1.2533 * f->sp / sqrt(f->n), centre[2];
	uint32_t n = 0, k = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (e->values.n[i])
			at[n++] = (struct host_value){ e->of[i], i };
	qsort(at, n, sizeof(*at), by_falling_value);
	for (uint32_t i = fewest_faster(f->n); 2 * i <= n; i++) {
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

/* ---- which hosts are faster, and by how much ---- */

/*
 * Median of the pairs whose sender is marked (`from` true) or not, and whose receiver is marked
 * (`to` true) or not.
 */
static double median_between(struct peers *f, const bool *in, bool from, bool to)
{
	size_t n = 0;

	for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);)
		if (in[w.i] == from && in[w.j] == to && !isnan(f->x[w.at]))
			f->work[n++] = f->x[w.at];
	return select_median(f->work, n);
}

void find_faster_hosts(struct peers *f, struct map_judged *j)
{
	bool *in = scratch_take(f->room, f->n, sizeof(*in));
	struct host_value *at = scratch_take(f->room, f->n, sizeof(*at));
	struct faster *to = &j->faster;
	double within, rest;

	if (!find_mutually_fast_hosts(f, in) && !find_hosts_above_gap(f, &f->s, at, in) &&
	    !find_hosts_above_gap(f, &f->r, at, in))
		return;
	within = median_between(f, in, true, true);
	rest = median_between(f, in, false, false);
	if (!(within - rest > f->rules->limits.host))
		return;
	to->by = within - rest;
	to->sending = median_between(f, in, true, false) - rest > to->by / 2;
	to->receiving = median_between(f, in, false, true) - rest > to->by / 2;
	judged_add_faster(f->room, j, f->n);
	for (uint32_t i = 0; i < f->n; i++)
		if (in[i])
			to->members[to->n++] = matrix_host(f->m, i);
	to->rest = f->n - to->n;
}
