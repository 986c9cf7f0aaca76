/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/small.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "analyse/map/judge/ask.h"
#include "analyse/map/judge/fit.h"
#include "analyse/map/judge/tournament.h"

#define SP_LEAST 0.005
#define Z_NAMED 4.5
#define AHEAD 12		/* Q of the next cause is larger by so much, or by a quarter */
#define VISITS_AGAIN 9
#define G_LEAST 0.10
#define G_SIGMAS 5
#define G_STEADIEST 1.3		/* the steadiest pair varies less than pairs do */
#define CELLS (SMALL_MOST * SMALL_MOST)
#define MOST_CAUSES 32

/* A hypothesis: which cells it makes slow; how well it fits (11). */
struct hypothesis {
	struct cause cause;
	bool in[CELLS];
	double q, d, se;
};

static void fit_all(struct peers *f)
{
	fit_centre_visits(f);
	f->sigma = fmax(0.001, fit_noise(f, false));				/* (3) */
	f->sp = fmax(SP_LEAST, f->sigma * fit_k(f->m->nvisits));
}

/* ---- one cause (11) ---- */

/* (11) of a round trip takes each pair once. */
static bool counts(const struct peers *f, uint32_t i, uint32_t j)
{
	return (f->m->symmetric ? i < j : i != j) && !isnan(f->x[i * f->n + j]);
}

/* False if it has no cells, or all, or makes them faster. */
static bool test(const struct peers *f, struct hypothesis *h)
{
	double sum[2] = { 0 }, n[2] = { 0 };

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < f->n; j++) {
			if (!counts(f, i, j))
				continue;
			sum[cause_has(&h->cause, i, j)] += f->x[i * f->n + j];
			n[cause_has(&h->cause, i, j)]++;
		}
	}
	h->d = sum[0] / n[0] - sum[1] / n[1];
	h->se = f->sp * sqrt(1 / n[0] + 1 / n[1]);
	h->q = 0;
	for (uint32_t i = 0; i < f->n; i++)
		for (uint32_t j = 0; j < f->n; j++)
			if (counts(f, i, j)) {
				bool in = cause_has(&h->cause, i, j);

				h->q += pow((f->x[i * f->n + j] - sum[in] / n[in]) / f->sp, 2);
			}
	return n[0] > 0 && n[1] > 0 && h->d > 0;
}

static void try(const struct peers *f, enum map_kind kind, uint32_t a, uint32_t b,
		struct hypothesis *list, size_t *n)
{
	list[*n] = (struct hypothesis){ .cause = { kind, a, b } };
	*n += test(f, &list[*n]);
}

static size_t try_all(const struct peers *f, struct hypothesis *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		try(f, KIND_HOST, i, i, list, &n);
		if (!f->m->symmetric) {
			try(f, KIND_SEND, i, i, list, &n);
			try(f, KIND_RECEIVE, i, i, list, &n);
		}
		for (uint32_t j = 0; j < f->n; j++) {
			if (j > i)
				try(f, KIND_PAIR, i, j, list, &n);
			if (j != i && !f->m->symmetric)
				try(f, KIND_DIRECTION, i, j, list, &n);
		}
		if (f->n == 4 && i)
			try(f, KIND_HALVES, 0, i, list, &n);
	}
	return n;
}

static int by_q(const void *a, const void *b)
{
	const struct hypothesis *x = a, *y = b;

	return order_doubles(x->q, y->q);
}

/* The best, and in *next the one that is not told from it, or KIND_NONE. False: there is none. */
static bool choose(const struct peers *f, const struct thresholds *limits, struct hypothesis *best,
		   struct cause *next)
{
	struct hypothesis list[MOST_CAUSES];
	size_t n = try_all(f, list);

	*next = (struct cause){ .kind = KIND_NONE };
	if (!n)
		return false;
	qsort(list, n, sizeof(*list), by_q);
	*best = list[0];
	if (!(best->d >= limits->host && best->d >= Z_NAMED * best->se))
		return false;
	if (n > 1 && !(list[1].q - best->q >= fmax(AHEAD, list[1].q / 4)))
		*next = list[1].cause;
	return true;
}

/*
 * Four hosts of which two are slow have one pair that is faster than all others: if that explains
 * them better than any cause does, there is no normal.
 */
static int find_faster(const struct peers *f, const struct thresholds *limits, struct map_judged *j)
{
	struct hypothesis list[MOST_CAUSES], best = { .q = INFINITY };
	size_t n = try_all(f, list);

	for (uint32_t a = 0; a < f->n; a++) {
		for (uint32_t b = a + 1; b < f->n; b++) {
			struct hypothesis h = { .cause = { KIND_PAIR, a, b } };

			test(f, &h);
			if (h.d < 0 && h.q < best.q)
				best = h;
		}
	}
	for (size_t k = 0; k < n; k++)
		if (list[k].q - best.q < fmax(AHEAD, list[k].q / 4))
			return ST_OK;
	if (!(-best.d >= limits->host && -best.d >= Z_NAMED * best.se))
		return ST_OK;
	j->faster.members = calloc(2, sizeof(*j->faster.members));
	if (!j->faster.members)
		return error_report("no memory for a group of 2 hosts");
	j->faster.members[0] = f->m->host[best.cause.a];
	j->faster.members[1] = f->m->host[best.cause.b];
	j->faster.n = 2;
	j->faster.by = -best.d;
	j->why = NO_NORMAL;
	return ST_OK;
}

/* ---- unsteady hosts ---- */

/* The visits of a pair, sorted: both directions of each, with what visits have in common. */
static size_t visits_of(const struct peers *f, uint32_t i, uint32_t j, double *u)
{
	size_t n = 0;

	for (uint32_t v = 0; v < f->m->nvisits; v++) {
		u[n] = (f->m->y[matrix_at(f->m, v, i, j)] + f->m->y[matrix_at(f->m, v, j, i)]) / 2;
		n += !isnan(u[n]);
	}
	sort_doubles(u, n);
	return n;
}

/* (3) of these alone; NaN of fewer than two. */
static double noise_of(const struct peers *f, const double *u, size_t n)
{
	double *d = f->work + n;
	size_t nd = 0;

	for (size_t a = 1; a < n; a++)
		for (size_t b = 0; b < a; b++)
			d[nd++] = u[a] - u[b];
	return 1.4826 * select_median(d, nd) / sqrt(2);
}

/* g: from the steadiest pair; of four hosts the second steadiest. */
static double least_mixed(const struct peers *f)
{
	double sigma[SMALL_MOST * (SMALL_MOST - 1) / 2];
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = i + 1; j < f->n; j++) {
			sigma[n] = noise_of(f, f->work, visits_of(f, i, j, f->work));
			n += !isnan(sigma[n]);
		}
	}
	sort_doubles(sigma, n);
	return n > 1 ? fmax(G_LEAST, G_SIGMAS * G_STEADIEST * sigma[f->n == 4]) : INFINITY;
}

/* What the visits say: pairs that are mixed, all, of each host, and by how much they differ. */
struct mixed {
	uint32_t n, of[SMALL_MOST];
	double drop;
};

/*
 * A pair is mixed if its visits differ by more than g, without the best and the two worst; before
 * anything is measured again, by so much at all.
 */
static struct mixed find_mixed(const struct peers *f, const struct thresholds *limits, bool again)
{
	struct mixed mixed = { .n = 0 };
	size_t high = again ? 2 : 1, low = again ? 2 : 0;
	double g = fmax(least_mixed(f), limits->host), *u = f->work, drop;

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = i + 1; j < f->n; j++) {
			size_t n = visits_of(f, i, j, u);

			drop = n > high + low ? u[n - high] - u[low] : 0;
			if (!(drop > g))
				continue;
			mixed.n++;
			mixed.of[i]++;
			mixed.of[j]++;
			mixed.drop += drop;
		}
	}
	mixed.drop /= mixed.n;
	return mixed;
}

/* The host that all mixed pairs have in common, if they are two or more; else n. */
static uint32_t unsteady(const struct peers *f, const struct mixed *mixed)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (mixed->n >= 2 && mixed->of[i] == mixed->n)
			return i;
	return f->n;
}

/* ---- again ---- */

/* Measures a visit again, and puts it in as visit v. */
static int measure_visit(struct matrix *m, uint32_t v, struct asking *again, struct rng *rng)
{
	struct tournament t;
	int err = tournament_make(&t, m->n, 0, rng);

	for (uint32_t k = 0; k < t.nrounds && !err; k++) {
		struct encounter at[SMALL_MOST];
		size_t n = 0;

		for (uint32_t i = 0; i < m->n; i++) {
			uint32_t j = tournament_meets(&t, k, i);

			if (j > i)
				at[n++] = (struct encounter){ m->host[i], m->host[j], NAN, NAN };
		}
		err = ask_round(again, at, n);
		n = 0;
		for (uint32_t i = 0; i < m->n && !err; i++) {
			uint32_t j = tournament_meets(&t, k, i);

			if (j <= i)
				continue;
			m->y[matrix_at(m, v, i, j)] = at[n].ij;
			m->y[matrix_at(m, v, j, i)] = at[n++].ji;
		}
	}
	tournament_free(&t);
	return err;
}

static int measure_visits(struct matrix *m, const struct rules *rules)
{
	uint32_t first = m->nvisits;
	int err = matrix_extend(m, VISITS_AGAIN);
	struct rng rng;

	rng_seed(&rng, rules->seed);
	for (uint32_t v = first; v < m->nvisits && !err; v++)
		err = measure_visit(m, v, rules->again, &rng);
	return err;
}

/* ---- the verdict ---- */

static int name(const struct peers *f, const struct hypothesis *h, const struct cause *next,
		enum persistence persistence, struct map_judged *j)
{
	struct map_verdict *v = judged_add(j, h->cause.kind);

	if (!v)
		return ST_FAILED;
	v->cause = (struct cause){ h->cause.kind, f->m->host[h->cause.a], f->m->host[h->cause.b] };
	v->or = *next;
	v->or.a = f->m->host[next->a];
	v->or.b = f->m->host[next->b];
	v->effect = h->d;
	v->se = h->se;
	v->persistence = persistence;
	if (h->cause.kind == KIND_HALVES) {
		v->members = calloc(2, sizeof(*v->members));
		if (!v->members)
			return error_report("no memory for a group of 2 hosts");
		v->members[0] = v->cause.a;
		v->members[1] = v->cause.b;
		v->nmembers = 2;
	}
	return ST_OK;
}

/* Two hosts: one direction against the other. */
static bool choose_direction(const struct peers *f, const struct thresholds *limits,
			     struct hypothesis *h)
{
	double d = f->x[1] - f->x[2];
	bool from_0 = d < 0;

	*h = (struct hypothesis){ .cause = { KIND_ONE_WAY, !from_0, from_0 }, .d = fabs(d),
				  .se = f->sp * sqrt(2) };
	return h->d > limits->host && h->d > Z_NAMED * h->se;
}

static int conclude(struct peers *f, const struct rules *rules, enum persistence persistence,
		    struct map_judged *j)
{
	struct mixed mixed = find_mixed(f, &rules->limits, true);
	uint32_t host = unsteady(f, &mixed);
	struct hypothesis best;
	struct cause next = { .kind = KIND_NONE };

	if (f->n > 2 && host < f->n) {
		struct map_verdict *v = judged_add(j, KIND_UNSTEADY);

		if (!v)
			return ST_FAILED;
		v->cause.a = v->cause.b = f->m->host[host];
		v->effect = mixed.drop;
		v->persistence = persistence;
		return ST_OK;
	}
	if (f->n == 2 ? choose_direction(f, &rules->limits, &best)
		      : choose(f, &rules->limits, &best, &next))
		return name(f, &best, &next, persistence, j);
	j->normal += persistence == PERSISTENT;
	return ST_OK;
}

/* The slower direction of each host against the median of all pairs. */
static void note_hosts(const struct peers *f, const struct thresholds *limits, struct map_judged *j)
{
	double x[CELLS];
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		double out[SMALL_MOST], in[SMALL_MOST];
		size_t k = 0;

		for (uint32_t p = 0; p < f->n; p++) {
			if (p == i || isnan(f->x[i * f->n + p]) || isnan(f->x[p * f->n + i]))
				continue;
			out[k] = x[n++] = f->x[i * f->n + p];
			in[k++] = f->x[p * f->n + i];
		}
		j->slow[f->m->host[i]] = fmin(select_median(out, k), select_median(in, k));
	}
	j->mu = select_median(x, n);
	j->sigma = f->sigma;
	for (uint32_t i = 0; i < f->n; i++)
		j->slow[f->m->host[i]] = j->mu - j->slow[f->m->host[i]];
	j->least = j->least_pair = fmax(limits->host, Z_NAMED * f->sp);
}

/* True if there is something that is worth 9 more visits. */
static bool is_doubtful(struct peers *f, const struct thresholds *limits)
{
	struct hypothesis best;
	struct cause next;

	if (f->n == 2)
		return choose_direction(f, limits, &best);
	return choose(f, limits, &best, &next) || find_mixed(f, limits, false).n >= 2;
}

int small_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j)
{
	static const uint32_t same[SMALL_MOST] = { 0, 1, 2, 3 };
	struct matrix own;
	struct peers f = { .n = 0 }, more = { .n = 0 };
	int err = matrix_take(&own, m, same, m->n);

	own.host = m->host ? m->host : same;
	if (!err)
		err = fit_make(&f, &own);
	if (!err)
		fit_all(&f);
	if (!err && m->n == SMALL_MOST)
		err = find_faster(&f, &rules->limits, j);
	if (!err && !j->why && rules->again && is_doubtful(&f, &rules->limits)) {
		err = measure_visits(&own, rules);
		if (!err)
			err = fit_make(&more, &own);
		if (!err)
			fit_all(&more);
		if (!err)
			err = conclude(&more, rules, PERSISTENT, j);
	} else if (!err && !j->why && !rules->again) {
		err = conclude(&f, rules, UNTESTED, j);
	}
	if (!err)
		note_hosts(more.n ? &more : &f, &rules->limits, j);
	fit_free(&f);
	fit_free(&more);
	matrix_free(&own);
	return err;
}
