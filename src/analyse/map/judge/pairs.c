/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/judge/again.h"

#define ROUNDS 5
#define ROUNDS_QUICK 9
#define FEW_NORMAL 3 /* number of first rounds; a slow pair is hardly ever normal in all of them */
#define Z_SUSPECT 4
#define Z_NAMED 5
#define SP_LEAST 0.002
#define PAIRS_LEAST 0.005	/* smallest standard error: pairs differ by this much anyway */
/* probability that any pair without a fault is named, if there are only first visits */
#define CHANCE 0.05

/*
 * One direction of a pair. Its shortfalls are E in the first visits, f in the retest, and F in both
 * together (14).
 */
struct one_way {
	double e, f, F;
	bool suspect, named;
	double again[ROUNDS_QUICK];
};

struct slow_pair {
	uint32_t i, j;			/* i < j */
	uint32_t colour;		/* pairs of the same colour are disjoint */
	bool in_round; /* true if the pair is measured in the current round of the retest */
	struct one_way ij, ji;
};

struct slow_pairs {
	struct slow_pair *at;
	size_t n;
	double sp, q;			/* standard deviations of E (10) and of F (14) */
	/* rounds of the retest for each colour (0: no retest), and number of colours */
	uint32_t rounds, ncolours;
};

/* ---- suspects (10) ---- */

/*
 * Returns the shortfall of sender i with receiver j: how far x is below the expected value, a
 * logarithm.
 */
static double shortfall_of(const struct peers *f, uint32_t i, uint32_t j)
{
	return fit_expected(f, i, j) - f->x[(size_t)i * f->n + j];
}

/* Sets the standard deviation of E, and finds the suspects: pairs with too large a shortfall. */
static struct slow_pairs find_suspects(const struct peers *f, const bool *in_group)
{
	const struct thresholds *limits = &f->rules->limits;
	double least = matrix_is_quick(f->m) ? limits->pair_quick : limits->pair_suspect, ij, ji;
	size_t cells = (size_t)f->n * f->n, n = 0;
	uint32_t low, high;
	size_t room = cells < FIT_MANY ? cells : FIT_MANY;
	struct slow_pairs all = { .at = scratch_take(f->room, room, sizeof(*all.at)) };

	for (struct pair_walk w = fit_walk(f, 1); next_pair(&w);) {
		f->work[n] = shortfall_of(f, w.i, w.j);
		n += !isnan(f->work[n]);
	}
	/* sp': the MAD of the pairs' shortfalls, but at least what noise alone would give */
	all.sp = fmax(fmax(SP_LEAST, f->sigma * median_deviation(f->m->nvisits)),
		      spread(f->work, n, select_median(f->work, n)));
	least = fmax(least, Z_SUSPECT * all.sp);
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < f->n && all.n < room; j++) {
			if (f->varies[i] || in_group[i] || f->varies[j] || in_group[j] ||
			    !(shortfall_of(f, i, j) > least) ||
			    /* the pair is already listed */
			    (j < i && shortfall_of(f, j, i) > least))
				continue;
			low = i < j ? i : j;
			high = i < j ? j : i;
			ij = shortfall_of(f, low, high);
			ji = shortfall_of(f, high, low);
			all.at[all.n++] = (struct slow_pair){
				.i = low, .j = high, .ij = { .e = ij, .suspect = ij > least },
				.ji = { .e = ji, .suspect = ji > least } };
		}
	}
	return all;
}

/* ---- retest ---- */

/* True if a list contains the pair of i and j, in either order. */
static bool list_has_pair(const struct slow_pair *at, size_t n, uint32_t i, uint32_t j)
{
	for (size_t k = 0; k < n; k++)
		if ((at[k].i == i && at[k].j == j) || (at[k].i == j && at[k].j == i))
			return true;
	return false;
}

/* True if the pair of i and j is a suspect, so that it cannot be a control. */
static bool is_suspect(const void *arg, uint32_t i, uint32_t j)
{
	const struct slow_pairs *all = arg;

	return list_has_pair(all->at, all->n < FIT_SAMPLE ? all->n : FIT_SAMPLE, i, j);
}

/* A direction is named only if its median shortfall in the retest exceeds this value. */
static double smallest_shortfall(const struct peers *f, const struct one_way *way)
{
	return fmax(way->e / 2, f->rules->limits.pair_again);
}

/*
 * True if a direction may still be named after t rounds. It may not be named if more than half of
 * all rounds were normal, or if the rounds so far, at least FEW_NORMAL, were all normal.
 */
static bool may_be_named(const struct retesting *a, const struct slow_pairs *all, uint32_t c,
			 const struct one_way *way, uint32_t t)
{
	uint32_t normal = 0;

	for (uint32_t k = 0; k < t; k++) {
		double e = way->again[k] + a->ref[k * all->ncolours + c - 1];

		normal += e <= smallest_shortfall(a->f, way);
	}
	return way->suspect && 2 * normal <= all->rounds && !(normal == t && t >= FEW_NORMAL);
}

/* Measures, in round t, the pairs of colour c that may still be named. */
static void measure_colour(struct retesting *a, struct slow_pairs *all, uint32_t c, uint32_t t)
{
	size_t n = 0;

	for (size_t k = 0; k < all->n; k++) {
		struct slow_pair *s = &all->at[k];

		s->in_round = s->colour == c &&
			      (may_be_named(a, all, c, &s->ij, t) ||
			       may_be_named(a, all, c, &s->ji, t));
		if (s->colour == c)
			s->ij.again[t] = s->ji.again[t] = NAN;
		if (s->in_round)
			a->at[n++] = (struct encounter){ s->i, s->j, NAN, NAN };
	}
	if (!n) {
		/*
		 * count the round, although it has no meetings, because references are indexed by
		 * round
		 */
		a->round++;
		return;
	}
	again_measure_round(a, n);
	a->ref[a->round - 1] = again_reference(a, a->round - 1);
	n = 0;
	for (size_t k = 0; k < all->n; k++) {
		struct slow_pair *s = &all->at[k];

		if (!s->in_round)
			continue;
		s->ij.again[t] = fit_expected(a->f, s->i, s->j) - a->at[n].ij;
		s->ji.again[t] = fit_expected(a->f, s->j, s->i) - a->at[n++].ji;
	}
}

/* Sets f and F of (14) from the retest. */
static void compute_retest_shortfall(const struct retesting *a, const struct slow_pairs *all,
				     uint32_t c, struct one_way *way)
{
	double x[ROUNDS_QUICK], visits = a->f->m->nvisits;
	size_t n = 0;

	for (uint32_t t = 0; t < all->rounds; t++) {
		x[n] = way->again[t] + a->ref[t * all->ncolours + c - 1];
		n += !isnan(x[n]);
	}
	/* where hosts have a load of their own, a faulty pair is slow more often than by half */
	way->f = a->f->rules->all_vary && n ? select_double(x, n, n / 4) : select_median(x, n);
	way->F = matrix_is_quick(a->f->m) ? way->f
				       : (way->e * visits + way->f * all->rounds) /
						 (visits + all->rounds);
}

/*
 * Gives each suspect a colour, so that pairs of one colour are disjoint. Then measures all suspects
 * again.
 */
static void measure_pairs(struct peers *f, struct slow_pairs *all)
{
	uint32_t *last = scratch_take(f->room, f->n, sizeof(*last)), left = (uint32_t)all->n;
	struct retesting a;

	while (left) {	/* give each pair the first colour that no other pair of its hosts has */
		uint32_t c = ++all->ncolours;

		for (size_t k = 0; k < all->n; k++) {
			struct slow_pair *s = &all->at[k];

			if (s->colour || last[s->i] == c || last[s->j] == c)
				continue;
			s->colour = last[s->i] = last[s->j] = c;
			left--;
		}
	}
	a = again_make(f, f->rules->seed + 1, all->rounds * all->ncolours);
	a.avoid = is_suspect;
	a.arg = all;
	for (uint32_t t = 0; t < all->rounds; t++)
		for (uint32_t c = 1; c <= all->ncolours; c++)
			measure_colour(&a, all, c, t);
	again_set_references(&a, all->rounds);
	for (size_t k = 0; k < all->n; k++) {
		compute_retest_shortfall(&a, all, all->at[k].colour, &all->at[k].ij);
		compute_retest_shortfall(&a, all, all->at[k].colour, &all->at[k].ji);
	}
}

/* Sets way->named by the test of (14), after the retest. */
static void test_retest(const struct peers *f, const struct slow_pairs *all, struct one_way *way)
{
	way->named = way->suspect && way->f > smallest_shortfall(f, way) &&
		     way->F > f->rules->limits.pair && way->F > Z_NAMED * all->q;
}

/* ---- first visits only ---- */

/* Names a direction if its median and each single visit fall short of the expected value. */
static void test_visits(const struct peers *f, const struct slow_pairs *all, uint32_t i, uint32_t j,
			struct one_way *way)
{
	way->F = way->f = way->e;
	way->named = way->suspect && way->e > f->rules->limits.pair && way->e > Z_NAMED * all->q;
	for (uint32_t v = 0; v < f->m->nvisits && way->named; v++) {
		double e = fit_expected(f, i, j) - fit_value(f, v, i, j);

		way->named = isnan(e) || e > smallest_shortfall(f, way);
	}
}

/* A sorted sample of the shortfalls of single visits of pairs that are not named. */
struct usual {
	double *at;
	size_t n;
};

/*
 * Takes back the naming of a direction, and returns true, if chance may explain its shortfall.
 * Chance may explain it if, in at least one matrix of twenty, some pair falls short by as much in
 * all visits.
 */
static bool reject_if_chance(const struct peers *f, const struct usual *usual, uint32_t i,
			     uint32_t j, struct one_way *way)
{
	double pairs = (double)f->n * (f->n - 1), least = smallest_shortfall(f, way), share;
	size_t low = 0, high = usual->n;
	uint32_t visits = 0;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (usual->at[mid] > least)
			high = mid;
		else
			low = mid + 1;
	}
	share = (double)(usual->n - low + 1) / (double)(usual->n + 1);
	for (uint32_t v = 0; v < f->m->nvisits; v++)
		visits += !isnan(fit_value(f, v, i, j));
	if (!way->named || pairs * pow(share, visits) < CHANCE)
		return false;
	way->named = false;
	return true;
}

/* Names pairs by the first visits only, unless chance may explain their shortfall. */
static void judge_by_visits(const struct peers *f, struct slow_pairs *all, struct map_judged *j)
{
	size_t named = 0;
	struct usual usual = { .at = scratch_take(f->room, FIT_MANY, sizeof(*usual.at)) };

	for (size_t k = 0; k < all->n; k++) {	/* move named pairs to the front */
		struct slow_pair at;

		test_visits(f, all, all->at[k].i, all->at[k].j, &all->at[k].ij);
		test_visits(f, all, all->at[k].j, all->at[k].i, &all->at[k].ji);
		at = all->at[k];
		if (!at.ij.named && !at.ji.named)
			continue;
		all->at[k] = all->at[named];
		all->at[named++] = at;
	}
	for (struct pair_walk w = fit_walk(f, f->m->nvisits); next_pair(&w);) {
		if (w.i == w.j || f->varies[w.i] || f->varies[w.j] ||
		    (shortfall_of(f, w.i, w.j) > 0 && list_has_pair(all->at, named, w.i, w.j)))
			continue;
		for (uint32_t v = 0; v < f->m->nvisits && usual.n < FIT_MANY; v++) {
			double e = fit_expected(f, w.i, w.j) - fit_value(f, v, w.i, w.j);

			if (!isnan(e))
				usual.at[usual.n++] = e;
		}
	}
	sort_doubles(usual.at, usual.n);
	for (size_t k = 0; k < all->n; k++) {
		struct slow_pair *s = &all->at[k];
		bool ij = reject_if_chance(f, &usual, s->i, s->j, &s->ij);
		bool ji = reject_if_chance(f, &usual, s->j, s->i, &s->ji);

		j->chance += ij || ji;
	}
}

/* ---- which suspects get a verdict ---- */

/* Adds a verdict on a pair or on one direction. */
static void add_pair_verdict(const struct peers *f, const struct slow_pairs *all,
			     const struct slow_pair *s, struct map_judged *j)
{
	bool first = !s->ji.named || (s->ij.named && s->ij.F >= s->ji.F);
	const struct one_way *one = first ? &s->ij : &s->ji, *two = first ? &s->ji : &s->ij;
	bool both = f->m->symmetric || two->named ||
		    (two->F > one->F / 2 && two->f > one->f / 2);
	uint32_t lower = matrix_host(f->m, s->i), upper = matrix_host(f->m, s->j);
	bool back = !both && !first;
	struct map_verdict *v = judged_add(f->room, j, both ? KIND_PAIR : KIND_DIRECTION,
					   back ? upper : lower, back ? lower : upper, 0);

	v->effect = both ? (one->F + two->F) / 2 : one->F;
	v->se = all->q;
	v->persistence = all->rounds ? PERSISTENT : UNTESTED;
}

static int compare_slowness(const void *a, const void *b)
{
	const struct slow_pair *x = a, *y = b;

	return order_doubles(fmax(y->ij.e, y->ji.e), fmax(x->ij.e, x->ji.e));
}

/* Keeps the slowest suspects, as many as can be measured alone. */
static void keep_slowest(const struct peers *f, struct slow_pairs *all, struct map_judged *j)
{
	size_t most = again_limit(f->rules, all->rounds, all->n);

	if (most < all->n)
		qsort(all->at, all->n, sizeof(*all->at), compare_slowness);
	j->beyond += all->n - most;
	all->n = most;
}

void pairs_judge(struct peers *f, const bool *in_group, struct map_judged *j)
{
	struct slow_pairs all = find_suspects(f, in_group);
	bool again = f->rules->again;
	double visits = f->m->nvisits, sp = f->sigma * median_deviation(f->m->nvisits), measured;

	if (all.n && again) {
		all.rounds = matrix_is_quick(f->m) || f->rules->alone ? ROUNDS_QUICK : ROUNDS;
		keep_slowest(f, &all, j);
		measure_pairs(f, &all);
	}
	/* q of (14): standard error of F */
	measured = matrix_is_quick(f->m) && all.rounds ? all.rounds : visits + all.rounds;
	all.q = sqrt(pow(1.2533 * f->sigma, 2) / measured + fmax(0, all.sp * all.sp - sp * sp) +
		     PAIRS_LEAST * PAIRS_LEAST);
	if (again || f->m->nvisits > 1)		/* a single value is not enough to name a pair */
		j->least_pair = fmax(fmax(f->rules->limits.pair, Z_NAMED * all.q), j->least_pair);
	if (all.n && !again)
		judge_by_visits(f, &all, j);
	for (size_t k = 0; k < all.n; k++) {
		struct slow_pair *s = &all.at[k];

		if (again) {
			test_retest(f, &all, &s->ij);
			test_retest(f, &all, &s->ji);
		}
		if (s->ij.named || s->ji.named)
			add_pair_verdict(f, &all, s, j);
		else if (all.rounds && isnan(s->ij.f) && isnan(s->ji.f))
			j->lost++;
		else
			j->normal += all.rounds > 0;
	}
}
