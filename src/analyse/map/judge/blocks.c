/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/blocks.h"

#include <math.h>

#include "base/random.h"

#define MOST_HOSTS 512		/* of more, this many are drawn at random */
#define CLIP 0.7
#define STEPS 60
#define SHIFT 0.3
#define SIDE_LEAST 3
#define RIGHT_SHARE 0.75	/* of all values are on the right side of the midpoint, at least */
#define WITHIN_SHARE 0.80	/* of the values within a side, at least */
#define ODD_LEAST 4		/* other hosts of a side that may have an odd one */
#define HOSTS_LEAST 0.005	/* as (6) */

/* The hosts that are looked at, and the residuals between them. */
struct view {
	uint32_t *host, n;
	double *e;		/* [n][n], symmetric, zero on the diagonal */
	double *v, *next;
};

static double rest_of_pair(const struct peers *f, uint32_t i, uint32_t j)
{
	double e = f->x[(size_t)i * f->n + j] - f->mu - f->s[i] - f->r[j];

	return isnan(e) ? 0 : fmax(-CLIP, fmin(CLIP, e));
}

static double rest_both_ways(const struct peers *f, uint32_t i, uint32_t j)
{
	return i == j ? 0 : (rest_of_pair(f, i, j) + rest_of_pair(f, j, i)) / 2;
}

/* 60 steps of v = (E + shift) v, orthogonal to 1, of length 1. */
static void find_direction(struct view *w, struct rng *rng)
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

/* The side of every host is the sign of v; for hosts that were not drawn, of v extended. */
static void choose_sides(const struct peers *f, const struct view *w, struct blocks *b)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		double sum = 0;

		for (uint32_t k = 0; k < w->n; k++)
			if (w->n < f->n)
				sum += rest_both_ways(f, i, w->host[k]) * w->v[k];
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

/* Marks per side the host that fits worst: it may have a fault of its own. */
static void mark_odd(const struct peers *f, const struct blocks *b, double mid, bool *odd)
{
	double least[2] = { 0.5, 0.5 };
	uint32_t host[2] = { f->n, f->n };

	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t n = 0, above = 0, side = b->other[i];

		for (uint32_t k = 0; k < f->rows.n[i]; k++) {
			size_t at = (size_t)i * f->rows.width + k;

			if (b->other[f->rows.who[at]] != b->other[i])
				continue;
			n++;
			above += f->rows.x[at] > mid;
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

/* Takes a sample of the values within sides (1 or 2, or 0: both) or between them. */
static size_t take_values(const struct peers *f, const struct blocks *b, const bool *odd,
			  bool within, int side, double *to)
{
	size_t cells = (size_t)f->n * f->n, stride = fit_stride(f, 1), n = 0;

	for (size_t at = 0; at < cells; at += stride) {
		uint32_t i = (uint32_t)(at / f->n), j = (uint32_t)(at % f->n);

		if (isnan(f->x[at]) || (b->other[i] == b->other[j]) != within ||
		    odd[i] || odd[j] ||
		    (side && b->other[i] != (side > 1)))
			continue;
		to[n++] = f->x[at];
	}
	return n;
}

static size_t count_above(const double *x, size_t n, double limit)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += x[i] > limit;
	return above;
}

/* The median of a host's values with one side. */
static double median_with(const struct peers *f, const struct blocks *b, uint32_t i, bool other)
{
	size_t n = 0;

	for (uint32_t k = 0; k < f->rows.n[i]; k++)
		if (b->other[f->rows.who[(size_t)i * f->rows.width + k]] == other)
			f->work[n++] = f->rows.x[(size_t)i * f->rows.width + k];
	return select_median(f->work, n);
}

/*
 * An odd host is as slow with both sides, so it may be of either. Moves it from the smaller side to
 * the other; keeps it if both sides are about as large.
 */
static void move_odd(const struct peers *f, struct blocks *b, const bool *odd)
{
	uint32_t n[2] = { 0 };

	for (uint32_t i = 0; i < f->n; i++)
		n[b->other[i]] += !odd[i];
	if (3 * n[false] > 2 * n[true])	/* the side that is named is not the smaller one */
		return;
	for (uint32_t i = 0; i < f->n; i++) {
		double own, rest;

		if (!odd[i] || b->other[i])
			continue;
		own = median_with(f, b, i, false);
		rest = median_with(f, b, i, true);
		if (own - rest > b->effect / 2)
			continue;
		b->other[i] = true;
		b->nnamed--;
	}
}

/* Sets effect and se; false if the sides have no boundary. */
static bool are_blocks(struct peers *f, struct blocks *b, bool *odd)
{
	size_t nwithin = take_values(f, b, odd, true, 0, f->work), nbetween, right = 0, n;
	double within = select_median(f->work, nwithin), between, mid;

	nbetween = take_values(f, b, odd, false, 0, f->work);
	between = select_median(f->work, nbetween);
	mid = midpoint(within, between);
	mark_odd(f, b, mid, odd);
	nwithin = take_values(f, b, odd, true, 0, f->work);
	nbetween = take_values(f, b, odd, false, 0, f->work);
	if (b->nnamed < SIDE_LEAST || !(within - between >= f->rules->limits.pair))
		return false;
	right = nbetween - count_above(f->work, nbetween, mid);
	for (int side = 1; side <= 2; side++) {
		size_t above;

		n = take_values(f, b, odd, true, side, f->work);
		above = count_above(f->work, n, mid);
		if ((double)above < WITHIN_SHARE * (double)n)
			return false;
		right += above;
	}
	b->effect = within - between;
	b->se = sqrt(1.57 * f->sp * f->sp * (1 / (double)nwithin + 1 / (double)nbetween) +
		     HOSTS_LEAST * HOSTS_LEAST);
	if (!((double)right >= RIGHT_SHARE * (double)(nwithin + nbetween)))
		return false;
	move_odd(f, b, odd);
	return b->nnamed >= SIDE_LEAST;
}

struct blocks blocks_find(struct peers *f)
{
	struct view w = { .n = f->n < MOST_HOSTS ? f->n : MOST_HOSTS };
	struct blocks b = { .other = scratch_take(f->room, f->n, sizeof(*b.other)) };
	bool *odd = scratch_take(f->room, f->n, sizeof(*odd));
	struct rng rng;
	double all = 0;

	fit_centre_visits(f);
	fit_polish(f);
	w.host = scratch_take(f->room, f->n, sizeof(*w.host));
	w.e = scratch_take(f->room, (size_t)w.n * w.n, sizeof(*w.e));
	w.v = scratch_take(f->room, w.n, sizeof(*w.v));
	w.next = scratch_take(f->room, w.n, sizeof(*w.next));
	rng_seed(&rng, f->rules->seed);
	rng_permutation(&rng, w.host, f->n);
	for (uint32_t i = 0; i < w.n; i++) {
		for (uint32_t j = 0; j < w.n; j++)
			w.next[i] += w.e[i * w.n + j] = rest_both_ways(f, w.host[i], w.host[j]);
		w.next[i] /= w.n - 1;
		all += w.next[i] / w.n;
	}
	for (uint32_t i = 0; i < w.n; i++)
		for (uint32_t j = 0; j < w.n; j++)
			w.e[i * w.n + j] -= i == j ? 0 : w.next[i] + w.next[j] - all;
	find_direction(&w, &rng);
	choose_sides(f, &w, &b);
	if (!are_blocks(f, &b, odd))
		b.nnamed = 0;
	return b;
}
