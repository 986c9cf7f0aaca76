/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/load.h"

#include <math.h>

#include "base/random.h"
#include "base/sort.h"

#define ROUNDS 12
#define LOW 0.18		/* quantiles of the bounds: the third and the tenth of 12 values */
#define HIGH 0.82
#define WEAK 0.75 /* a weak leaf carries less than this share of what the median leaf carries */

/*
 * What leaves carried in rounds: carries[leaf][value], in multiples of what one host reaches alone.
 */
struct loads {
	const struct matrix *m;
	const struct leaves *leaves;
	const struct rules *rules;
	double usual;
	double *carries;
	uint32_t *n;			/* number of values of each leaf */
	uint32_t *drawn;		/* leaves in random order */
};

/* Returns the median of n values, and as its bounds the quantiles `low` and `high`. Sorts x. */
static struct range make_range(double *x, size_t n, double low, double high)
{
	struct range r = { NAN, NAN, NAN };

	if (!n)
		return r;
	sort_doubles(x, n);
	r.lo = x[(size_t)(low * (double)(n - 1) + 0.5)];
	r.hi = x[(size_t)(high * (double)(n - 1) + 0.5)];
	r.is = select_median(x, n);
	return r;
}

/* ---- rounds ---- */

/* The i-th host of a leaf. */
static uint32_t host_of_leaf(const struct loads *l, uint32_t leaf, uint32_t i)
{
	return l->leaves->order[l->leaves->first[leaf] + i];
}

/*
 * Lists the meetings of all hosts of leaves 0 to width - 1 with the hosts of the next `width`
 * leaves. Each leaf's hosts meet hosts of all leaves of the other side. Returns their number.
 */
static size_t list_meetings(const struct loads *l, const uint32_t *leaf, uint32_t width,
			    struct encounter *at)
{
	size_t n = 0, partners = 0, before = SIZE_MAX;

	for (uint32_t row = 0; partners != before; row++) {
		before = partners;
		for (uint32_t k = width; k < 2 * width; k++)
			if (row < leaves_size(l->leaves, leaf[k]))
				at[partners++].j = host_of_leaf(l, leaf[k], row);
	}
	for (uint32_t k = 0; k < width; k++)
		for (uint32_t i = 0; i < leaves_size(l->leaves, leaf[k]) && n < partners; i++)
			at[n++].i = host_of_leaf(l, leaf[k], i);
	return n;
}

/*
 * Measures a round in which all hosts of `width` leaves, drawn at random, send to hosts of as many
 * other leaves, and then in the other direction. Other leaves do the same. A leaf of which all
 * hosts have sent gets a value.
 */
static void load_round(struct loads *l, struct encounter *at, uint32_t width, struct rng *rng)
{
	uint32_t leaves = l->leaves->n;
	size_t n = 0;

	rng_permutation(rng, l->drawn, leaves);
	for (uint32_t k = 0; k + 2 * width <= leaves; k += 2 * width)
		n += list_meetings(l, l->drawn + k, width, at + n);
	ask_round(l->rules, l->m, at, n);
	for (uint32_t k = 0; k < leaves; k++) {
		double sum = 0;
		uint32_t hosts = 0;

		for (size_t p = 0; p < n; p++) {
			bool there = l->leaves->of[at[p].i] == k;
			float y = there ? at[p].ij : at[p].ji;

			if (!there && l->leaves->of[at[p].j] != k)
				continue;
			hosts++;
			sum += isnan(y) ? 0 : exp(y - l->usual);
		}
		if (hosts == leaves_size(l->leaves, k))
			l->carries[k * ROUNDS + l->n[k]++] = sum;
	}
}

/* ---- verdicts ---- */

/*
 * Returns (S7): the values of pairs of two leaves in visits, divided by their values alone. Without
 * leaves, all pairs count.
 */
static struct range measure_together(const struct loads *l)
{
	const struct matrix *m = l->m;
	size_t cells = matrix_at(m, m->nvisits, 0, 0), n = 0;
	double *x = scratch_take(l->rules->room, cells + 1, sizeof(*x));

	for (size_t at = 0; at < cells; at++) {
		uint32_t i = (uint32_t)(at / m->n % m->n), j = (uint32_t)(at % m->n);
		uint32_t a = l->leaves->of[i], b = l->leaves->of[j];

		if (i == j || isnan(m->y[at]) || (a == b && a < l->leaves->n))
			continue;
		x[n++] = exp(m->y[at] - l->usual -
			     leaf_level(l->rules->levels, matrix_host(m, i), matrix_host(m, j)));
	}
	return make_range(x, n, 0.25, 0.75);
}

/*
 * Adds the verdict on the network. The verdict's members are the hosts of the leaves, leaf by leaf.
 * Without leaves, all hosts are members.
 */
static struct map_sharing *add_network_verdict(const struct loads *l, const struct thin *thin,
				    struct map_judged *j)
{
	uint32_t leaves = l->leaves->n, in = leaves ? l->leaves->first[leaves] : l->m->n;
	struct map_verdict *v = judged_add(l->rules->room, j, KIND_SHARED, 0, 0, in);
	struct map_sharing *to = judged_add_sharing(l->rules->room, v, leaves);

	for (uint32_t k = 0; k < leaves; k++)
		to->size[k] = leaves_size(l->leaves, k);
	for (uint32_t p = 0; p < in; p++)
		v->members[v->nmembers++] = matrix_host(l->m, l->leaves->order[p]);
	v->cause.a = v->cause.b = v->members[0];
	v->persistence = l->rules->again ? PERSISTENT : UNTESTED;
	to->together = measure_together(l);
	to->carries = (struct range){ NAN, NAN, NAN };
	to->tested = thin->tested;
	v->effect = -log(to->together.is);
	return to;
}

/* Adds a verdict on a weak uplink: the hosts of its leaf are a group. */
static void add_weak_uplink_verdict(const struct loads *l, uint32_t leaf, struct range carries,
				    double usual, struct map_judged *j)
{
	struct map_verdict *v = judged_add(l->rules->room, j, KIND_GROUP, 0, 0,
					   leaves_size(l->leaves, leaf));
	struct map_sharing *to = judged_add_sharing(l->rules->room, v, 1);

	for (uint32_t p = l->leaves->first[leaf]; p < l->leaves->first[leaf + 1]; p++)
		v->members[v->nmembers++] = matrix_host(l->m, l->leaves->order[p]);
	v->cause.a = v->cause.b = v->members[0];
	v->persistence = PERSISTENT;
	v->effect = log(usual / carries.is);
	to->size[0] = leaves_size(l->leaves, leaf);
	to->carries = carries;
	to->usual = usual;
}

/* Medians over the leaves of what they carry, of the lower bounds, and of the upper bounds. */
static struct range median_range(const struct range *of, uint32_t n, double *work)
{
	struct range usual;
	double *to[] = { &usual.is, &usual.lo, &usual.hi };

	for (int k = 0; k < 3; k++) {
		uint32_t values = 0;

		for (uint32_t i = 0; i < n; i++) {
			work[values] = k == 0 ? of[i].is : k == 1 ? of[i].lo : of[i].hi;
			values += !isnan(work[values]);
		}
		*to[k] = select_median(work, values);
	}
	return usual;
}

/*
 * Loads the leaves in all rounds, `width` leaves against as many others. Sets of[leaf] to what each
 * carries. Returns the medians over the leaves.
 */
static struct range load_all_leaves(struct loads *l, uint32_t width, struct rng *rng,
				    struct range *of)
{
	struct scratch *room = l->rules->room;
	struct encounter *at = scratch_take(room, l->m->n, sizeof(*at));
	double *work = scratch_take(room, l->leaves->n, sizeof(*work));

	for (uint32_t k = 0; k < l->leaves->n; k++)
		l->n[k] = 0;
	for (int t = 0; t < ROUNDS; t++)
		load_round(l, at, width, rng);
	for (uint32_t k = 0; k < l->leaves->n; k++)
		of[k] = make_range(l->carries + (size_t)k * ROUNDS, l->n[k], LOW, HIGH);
	return median_range(of, l->leaves->n, work);
}

/* True if the upper bound of what a leaf carries is less than WEAK times the usual value. */
static bool is_weak(struct range leaf, struct range usual)
{
	return leaf.hi < WEAK * usual.is;
}

/*
 * Sets to->carries, and adds verdicts on weak uplinks. An uplink must be weak in two tests: against
 * one other leaf at a time, and against half of the leaves. In the second test it does not share a
 * link of two leaves, such as a dragonfly has.
 */
static void judge_uplinks(struct loads *l, struct map_sharing *to, struct map_judged *j)
{
	uint32_t leaves = l->leaves->n, weak = 0, most = 0;
	struct range *of = scratch_take(l->rules->room, leaves, sizeof(*of));
	struct range *again = scratch_take(l->rules->room, leaves, sizeof(*again)), usual, spread;
	struct rng rng;

	rng_seed(&rng, l->rules->seed + 3);
	to->carries = usual = load_all_leaves(l, 1, &rng, of);
	for (uint32_t k = 0; k < leaves; k++) {
		weak += is_weak(of[k], usual);
		most = leaves_size(l->leaves, k) > most ? leaves_size(l->leaves, k) : most;
	}
	if (!weak)
		return;
	spread = load_all_leaves(l, leaves / 2, &rng, again);
	for (uint32_t k = 0; k < leaves; k++)
		if (is_weak(of[k], usual) && is_weak(again[k], spread) &&
		    again[k].hi < spread.lo &&
		    /* a small leaf cannot load its links as much */
		    3 * leaves_size(l->leaves, k) >= 2 * most)
			add_weak_uplink_verdict(l, k, again[k], spread.is, j);
}

void load_judge(const struct matrix *m, const struct leaves *leaves, const struct thin *thin,
		const struct rules *rules, struct map_judged *j)
{
	struct scratch *room = rules->room;
	struct loads l = { .m = m, .leaves = leaves, .rules = rules, .usual = thin->usual };
	struct map_sharing *to;

	l.carries = scratch_take(room, (size_t)leaves->n * ROUNDS, sizeof(*l.carries));
	l.n = scratch_take(room, leaves->n, sizeof(*l.n));
	l.drawn = scratch_take(room, leaves->n, sizeof(*l.drawn));
	to = add_network_verdict(&l, thin, j);
	if (leaves->n > 1 && rules->again)
		judge_uplinks(&l, to, j);
}
