/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/values.h"
#include "analyse/map/judge/again.h"

#define ROUNDS 5
#define ROUNDS_QUICK 9
#define FEW_NORMAL 3		/* rounds; a slow pair is hardly ever normal in each of so many */
#define Z_SUSPECT 4
#define Z_NAMED 5
#define SP_LEAST 0.002
#define PAIRS_LEAST 0.005	/* pairs differ by so much anyway */
#define CHANCE 0.05		/* of any pair by first visits alone */

/* A direction of a pair: E of the first visits, f of the others, and F of both (14). */
struct one_way {
	double e, f, F;
	bool suspect, named;
	double again[ROUNDS_QUICK];
};

struct slow_pair {
	uint32_t i, j;			/* i < j */
	uint32_t colour;		/* pairs of a colour are disjoint */
	bool playing;			/* in this round of the retest */
	struct one_way ij, ji;
};

struct slow_pairs {
	struct slow_pair *at;
	size_t n;
	double sp, q;			/* of (10); of (14) */
	uint32_t rounds, ncolours;	/* rounds of the retest for each colour; 0: none */
};

/* ---- suspects (10) ---- */

static double short_of(const struct peers *f, uint32_t i, uint32_t j)
{
	return fit_expected(f, i, j) - f->x[(size_t)i * f->n + j];
}

/* sp': MAD of E, or what noise makes of it. */
static double noise_of_pairs(const struct peers *f)
{
	size_t cells = (size_t)f->n * f->n, stride = fit_stride(f, 1), n = 0;

	for (size_t at = 0; at < cells; at += stride) {
		double e = short_of(f, (uint32_t)(at / f->n), (uint32_t)(at % f->n));

		if (!isnan(e))
			f->work[n++] = e;
	}
	return fmax(fmax(SP_LEAST, f->sigma * fit_k(f->m->nvisits)),
		    spread(f->work, n, select_median(f->work, n)));
}

static int add_suspect(const struct peers *f, struct slow_pairs *all, uint32_t i,
		       uint32_t j, double least)
{
	struct slow_pair *at = list_grow(all->at, all->n, sizeof(*at));
	double ij = short_of(f, i, j), ji = short_of(f, j, i);

	if (!at)
		return error_report("no memory for suspect pairs");
	all->at = at;
	at[all->n++] = (struct slow_pair){ .i = i, .j = j,
					 .ij = { .e = ij, .suspect = ij > least },
					 .ji = { .e = ji, .suspect = ji > least } };
	return ST_OK;
}

static int find_suspects(const struct peers *f, const struct thresholds *limits,
			 const bool *in_group, struct slow_pairs *all)
{
	double least = matrix_quick(f->m) ? limits->pair_quick : limits->pair_suspect;
	int err = ST_OK;

	all->sp = noise_of_pairs(f);
	least = fmax(least, Z_SUSPECT * all->sp);
	for (uint32_t i = 0; i < f->n && !err; i++) {
		if (f->varies[i] || in_group[i])
			continue;
		for (uint32_t j = 0; j < f->n && !err && all->n < FIT_MANY; j++) {
			if (!(short_of(f, i, j) > least) || f->varies[j] || in_group[j])
				continue;
			if (i < j)
				err = add_suspect(f, all, i, j, least);
			else if (!(short_of(f, j, i) > least))	/* else it is there */
				err = add_suspect(f, all, j, i, least);
		}
	}
	return err;
}

/* ---- measured again ---- */

/* Gives each pair the first colour that none of its hosts has yet. */
static int colour(const struct peers *f, struct slow_pairs *all)
{
	uint32_t *last = calloc(f->n, sizeof(*last)), left = (uint32_t)all->n;

	if (!last)
		return error_report("no memory for suspect pairs");
	while (left) {
		uint32_t c = ++all->ncolours;

		for (size_t k = 0; k < all->n; k++) {
			struct slow_pair *s = &all->at[k];

			if (s->colour || last[s->i] == c || last[s->j] == c)
				continue;
			s->colour = last[s->i] = last[s->j] = c;
			left--;
		}
	}
	free(last);
	return ST_OK;
}

static bool is_among(const struct slow_pair *at, size_t n, uint32_t i, uint32_t j)
{
	for (size_t k = 0; k < n; k++)
		if ((at[k].i == i && at[k].j == j) || (at[k].i == j && at[k].j == i))
			return true;
	return false;
}

static bool is_suspect(const void *arg, uint32_t i, uint32_t j)
{
	const struct slow_pairs *all = arg;

	return is_among(all->at, all->n < FIT_SAMPLE ? all->n : FIT_SAMPLE, i, j);
}

/* What a direction has to fall short by, as the median of its retests, to be named. */
static double least_of(const struct thresholds *limits, const struct one_way *way)
{
	return fmax(way->e / 2, limits->pair_again);
}

/*
 * True if a direction may still be named after t rounds: not once most of all rounds are normal,
 * or the first few without exception.
 */
static bool is_open(const struct retesting *a, const struct thresholds *limits,
		    const struct slow_pairs *all, uint32_t c, const struct one_way *way, uint32_t t)
{
	uint32_t normal = 0;

	for (uint32_t k = 0; k < t; k++) {
		double e = way->again[k] + a->ref[k * all->ncolours + c - 1];

		normal += e <= least_of(limits, way);
	}
	return way->suspect && 2 * normal <= all->rounds && !(normal == t && t >= FEW_NORMAL);
}

/* The pairs of a colour that are measured in round t. */
static bool plays(const struct retesting *a, const struct thresholds *limits,
		  const struct slow_pairs *all, const struct slow_pair *s, uint32_t c, uint32_t t)
{
	return s->colour == c && (is_open(a, limits, all, c, &s->ij, t) ||
				  is_open(a, limits, all, c, &s->ji, t));
}

static int measure_round(struct retesting *a, const struct thresholds *limits,
			 struct slow_pairs *all, uint32_t c, uint32_t t)
{
	size_t n = 0;
	int err;

	for (size_t k = 0; k < all->n; k++) {
		struct slow_pair *s = &all->at[k];

		s->playing = plays(a, limits, all, s, c, t);
		if (s->colour == c)
			s->ij.again[t] = s->ji.again[t] = NAN;
		if (s->playing)
			a->at[n++] = (struct encounter){ s->i, s->j, NAN, NAN };
	}
	if (!n) {
		a->round++;	/* as if it had been */
		return ST_OK;
	}
	err = again_round(a, n);
	a->ref[a->round - 1] = again_reference(a, a->round - 1);
	n = 0;
	for (size_t k = 0; k < all->n && !err; k++) {
		struct slow_pair *s = &all->at[k];

		if (!s->playing)
			continue;
		s->ij.again[t] = fit_expected(a->f, s->i, s->j) - a->at[n].ij;
		s->ji.again[t] = fit_expected(a->f, s->j, s->i) - a->at[n++].ji;
	}
	return err;
}

/* f of (14), and from it F. */
static void take_again(const struct retesting *a, const struct slow_pairs *all, uint32_t c,
		       struct one_way *way)
{
	double x[ROUNDS_QUICK], visits = a->f->m->nvisits;
	size_t n = 0;

	for (uint32_t t = 0; t < all->rounds; t++) {
		x[n] = way->again[t] + a->ref[t * all->ncolours + c - 1];
		n += !isnan(x[n]);
	}
	way->f = select_median(x, n);
	way->F = matrix_quick(a->f->m) ? way->f
				       : (way->e * visits + way->f * all->rounds) /
						 (visits + all->rounds);
}

static int measure_pairs(struct peers *f, const struct rules *rules, struct slow_pairs *all)
{
	struct retesting a = { .ask = NULL };
	int err = colour(f, all);

	all->rounds = matrix_quick(f->m) ? ROUNDS_QUICK : ROUNDS;
	if (!err)
		err = again_make(&a, f, rules->again, rules->seed + 1,
				 all->rounds * all->ncolours);
	a.avoid = is_suspect;
	a.arg = all;
	for (uint32_t t = 0; t < all->rounds && !err; t++)
		for (uint32_t c = 1; c <= all->ncolours && !err; c++)
			err = measure_round(&a, &rules->limits, all, c, t);
	if (!err)
		err = again_refer(&a, all->rounds);
	for (size_t k = 0; k < all->n && !err; k++) {
		take_again(&a, all, all->at[k].colour, &all->at[k].ij);
		take_again(&a, all, all->at[k].colour, &all->at[k].ji);
	}
	again_free(&a);
	return err;
}

/* (14) */
static void test_again(const struct thresholds *limits, const struct slow_pairs *all,
		       struct one_way *way)
{
	way->named = way->suspect && way->f > fmax(way->e / 2, limits->pair_again) &&
		     way->F > limits->pair && way->F > Z_NAMED * all->q;
}

/* ---- first visits alone ---- */

/* Named if the median says so, and each visit by itself. */
static void test_first(const struct peers *f, const struct thresholds *limits,
		       const struct slow_pairs *all, uint32_t i, uint32_t j, struct one_way *way)
{
	way->F = way->f = way->e;
	way->named = way->suspect && way->e > limits->pair && way->e > Z_NAMED * all->q;
	for (uint32_t v = 0; v < f->m->nvisits && way->named; v++) {
		double e = fit_expected(f, i, j) - fit_value(f, v, i, j);

		way->named = isnan(e) || e > least_of(limits, way);
	}
}

/* By how much single visits of pairs that are not named fall short: a sorted sample. */
struct usual {
	double *at;
	size_t n;
};

/* The pairs that are named come first; returns how many. */
static size_t sort_named(struct slow_pairs *all)
{
	size_t n = 0;

	for (size_t k = 0; k < all->n; k++) {
		struct slow_pair at = all->at[k];

		if (!at.ij.named && !at.ji.named)
			continue;
		all->at[k] = all->at[n];
		all->at[n++] = at;
	}
	return n;
}

static int take_usual(const struct peers *f, struct slow_pairs *all, struct usual *usual)
{
	size_t cells = (size_t)f->n * f->n, stride = fit_stride(f, f->m->nvisits);
	size_t named = sort_named(all);

	usual->at = calloc(FIT_MANY, sizeof(*usual->at));
	if (!usual->at)
		return error_report("no memory to judge pairs");
	for (size_t at = 0; at < cells; at += stride) {
		uint32_t i = (uint32_t)(at / f->n), j = (uint32_t)(at % f->n);

		if (i == j || f->varies[i] || f->varies[j] ||
		    (short_of(f, i, j) > 0 && is_among(all->at, named, i, j)))
			continue;
		for (uint32_t v = 0; v < f->m->nvisits && usual->n < FIT_MANY; v++) {
			double e = fit_expected(f, i, j) - fit_value(f, v, i, j);

			if (!isnan(e))
				usual->at[usual->n++] = e;
		}
	}
	sort_doubles(usual->at, usual->n);
	return ST_OK;
}

/* The share of visits that fall short by more. */
static double share_above(const struct usual *usual, double e)
{
	size_t low = 0, high = usual->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (usual->at[mid] > e)
			high = mid;
		else
			low = mid + 1;
	}
	return (double)(usual->n - low + 1) / (double)(usual->n + 1);
}

/*
 * Whether so many pairs have as many such visits by chance in one of twenty matrices or more: then
 * the pair is not named.
 */
static bool is_chance(const struct peers *f, const struct thresholds *limits,
		      const struct usual *usual, uint32_t i, uint32_t j, struct one_way *way)
{
	double pairs = (double)f->n * (f->n - 1);
	uint32_t visits = 0;

	for (uint32_t v = 0; v < f->m->nvisits; v++)
		visits += !isnan(fit_value(f, v, i, j));
	if (!way->named || pairs * pow(share_above(usual, least_of(limits, way)), visits) < CHANCE)
		return false;
	way->named = false;
	return true;
}

static int judge_first(const struct peers *f, const struct thresholds *limits,
		       struct slow_pairs *all, struct map_judged *j)
{
	struct usual usual = { .n = 0 };
	int err;

	for (size_t k = 0; k < all->n; k++) {
		struct slow_pair *s = &all->at[k];

		test_first(f, limits, all, s->i, s->j, &s->ij);
		test_first(f, limits, all, s->j, s->i, &s->ji);
	}
	err = take_usual(f, all, &usual);
	for (size_t k = 0; k < all->n && !err; k++) {
		struct slow_pair *s = &all->at[k];
		bool ij = is_chance(f, limits, &usual, s->i, s->j, &s->ij);
		bool ji = is_chance(f, limits, &usual, s->j, s->i, &s->ji);

		j->chance += ij || ji;
	}
	free(usual.at);
	return err;
}

/* ---- who is named ---- */

static int name(const struct peers *f, const struct slow_pairs *all, const struct slow_pair *s,
		struct map_judged *j)
{
	const struct one_way *one = !s->ji.named || (s->ij.named && s->ij.F >= s->ji.F) ? &s->ij
										  : &s->ji;
	const struct one_way *two = one == &s->ij ? &s->ji : &s->ij;
	bool both = f->m->symmetric || two->named ||
		    (two->F > one->F / 2 && two->f > one->f / 2);
	uint32_t from = one == &s->ij ? s->i : s->j, to = one == &s->ij ? s->j : s->i;
	struct map_verdict *v = judged_add(j, both ? KIND_PAIR : KIND_DIRECTION);

	if (!v)
		return ST_FAILED;
	if (both && from > to) {
		from = s->i;
		to = s->j;
	}
	v->cause.a = matrix_host(f->m, from);
	v->cause.b = matrix_host(f->m, to);
	v->effect = both ? (one->F + two->F) / 2 : one->F;
	v->se = all->q;
	v->persistence = all->rounds ? PERSISTENT : UNTESTED;
	return ST_OK;
}

/* q of (14), the error of F. */
static double error_of(const struct peers *f, const struct slow_pairs *all)
{
	double visits = f->m->nvisits, sp = f->sigma * fit_k(f->m->nvisits);
	double measured = matrix_quick(f->m) && all->rounds ? all->rounds : visits + all->rounds;

	return sqrt(pow(1.2533 * f->sigma, 2) / measured + fmax(0, all->sp * all->sp - sp * sp) +
		    PAIRS_LEAST * PAIRS_LEAST);
}

int pairs_judge(struct peers *f, const struct rules *rules, const bool *in_group,
		struct map_judged *j)
{
	struct slow_pairs all = { .n = 0 };
	int err = find_suspects(f, &rules->limits, in_group, &all);

	if (!err && all.n && rules->again)
		err = measure_pairs(f, rules, &all);
	all.q = error_of(f, &all);
	if (rules->again || f->m->nvisits > 1)		/* of a single value no pair is named */
		j->least_pair = fmax(fmax(rules->limits.pair, Z_NAMED * all.q), j->least_pair);
	if (!err && all.n && !rules->again)
		err = judge_first(f, &rules->limits, &all, j);
	for (size_t k = 0; k < all.n && !err; k++) {
		struct slow_pair *s = &all.at[k];

		if (rules->again) {
			test_again(&rules->limits, &all, &s->ij);
			test_again(&rules->limits, &all, &s->ji);
		}
		if (s->ij.named || s->ji.named)
			err = name(f, &all, s, j);
		else if (all.rounds && isnan(s->ij.f) && isnan(s->ji.f))
			j->lost++;
		else
			j->normal += all.rounds > 0;
	}
	free(all.at);
	return err;
}
