/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/small.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/judge/fit.h"

#define SP_LEAST 0.005
#define Z_NAMED 4.5
#define AHEAD 12 /* the best cause leads if the next one's Q is larger by this, and by a quarter */
#define VISITS_AGAIN 9		/* visits of the retest, each by repeat_visit() */
/* mixed_threshold(): smallest g, and the factor from the noise to g */
#define G_LEAST 0.10
#define G_SIGMAS 5
#define G_STEADIEST 1.3	/* allowance, because the steadiest pair varies less than others do */
#define CELLS (SMALL_MOST * SMALL_MOST)
#define MOST_CAUSES 32

/* A possible cause, and how well it fits the values (11). */
struct hypothesis {
	struct cause cause;
	double q, d, se;
};

/* Estimates x and the noise, but no effects of hosts. */
static struct peers fit_few_hosts(const struct matrix *m, const struct rules *rules)
{
	struct peers f = fit_make(m, rules);

	fit_centre_visits(&f);
	f.sigma = fmax(0.001, fit_noise(&f, false));				/* (3) */
	f.sp = fmax(SP_LEAST, f.sigma * median_deviation(m->nvisits));
	return f;
}

/* ---- fit of one cause (11) ---- */

/*
 * True if (11) uses the value of sender i with receiver j. For round trips it uses one direction
 * only.
 */
static bool is_value_used(const struct peers *f, uint32_t i, uint32_t j)
{
	return (f->m->symmetric ? i < j : i != j) && !isnan(f->x[i * f->n + j]);
}

/*
 * Fits a cause to the values. Returns false if the cause concerns no value or all values, or if its
 * pairs are faster than the others.
 */
static bool fit_cause(const struct peers *f, struct hypothesis *h)
{
	double sum[2] = { 0 }, n[2] = { 0 };

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < f->n; j++) {
			if (!is_value_used(f, i, j))
				continue;
			sum[cause_slows(&h->cause, i, j)] += f->x[i * f->n + j];
			n[cause_slows(&h->cause, i, j)]++;
		}
	}
	h->d = sum[0] / n[0] - sum[1] / n[1];
	h->se = f->sp * sqrt(1 / n[0] + 1 / n[1]);
	h->q = 0;
	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = 0; j < f->n; j++) {
			bool in = cause_slows(&h->cause, i, j);

			if (is_value_used(f, i, j))
				h->q += pow((f->x[i * f->n + j] - sum[in] / n[in]) / f->sp, 2);
		}
	}
	return n[0] > 0 && n[1] > 0 && h->d > 0;
}

/* Adds a cause to the list if fit_cause() accepts it. */
static void add_cause_if_it_fits(const struct peers *f, enum map_kind kind, uint32_t a, uint32_t b,
				 struct hypothesis *list, size_t *n)
{
	list[*n] = (struct hypothesis){ .cause = { kind, a, b } };
	*n += fit_cause(f, &list[*n]);
}

/* Lists all single causes that fit. Returns their number. */
static size_t list_fitting_causes(const struct peers *f, struct hypothesis *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		add_cause_if_it_fits(f, KIND_HOST, i, i, list, &n);
		if (!f->m->symmetric) {
			add_cause_if_it_fits(f, KIND_SEND, i, i, list, &n);
			add_cause_if_it_fits(f, KIND_RECEIVE, i, i, list, &n);
		}
		for (uint32_t j = 0; j < f->n; j++) {
			if (j > i)
				add_cause_if_it_fits(f, KIND_PAIR, i, j, list, &n);
			if (j != i && !f->m->symmetric)
				add_cause_if_it_fits(f, KIND_DIRECTION, i, j, list, &n);
		}
		if (f->n == 4 && i)
			add_cause_if_it_fits(f, KIND_HALVES, 0, i, list, &n);
	}
	return n;
}

static int compare_q(const void *a, const void *b)
{
	const struct hypothesis *x = a, *y = b;

	return order_doubles(x->q, y->q);
}

/*
 * Sets *best to the cause that fits best. Sets *next to another cause that fits nearly as well, or
 * to KIND_NONE. Returns false if no cause has a large enough effect.
 */
static bool choose_cause(const struct peers *f, struct hypothesis *best, struct cause *next)
{
	struct hypothesis list[MOST_CAUSES];
	double d = f->x[1] - f->x[2];
	size_t n = f->n > 2 ? list_fitting_causes(f, list) : 1;

	*next = (struct cause){ .kind = KIND_NONE };
	if (f->n == 2)		/* with two hosts the only cause is the slower direction */
		list[0] = (struct hypothesis){ .cause = { KIND_ONE_WAY, d >= 0, d < 0 },
					       .d = fabs(d), .se = f->sp * sqrt(2) };
	if (!n)
		return false;
	qsort(list, n, sizeof(*list), compare_q);
	*best = list[0];
	if (n > 1 && !(list[1].q - best->q >= fmax(AHEAD, list[1].q / 4)))
		*next = list[1].cause;
	return best->d >= f->rules->limits.host && best->d >= Z_NAMED * best->se;
}

/*
 * If two of four hosts are slow, the pair of the other two is faster than all others. Stores that
 * pair as faster hosts if it explains the values better than any cause.
 */
static void find_faster_pair(const struct peers *f, struct map_judged *j)
{
	struct hypothesis list[MOST_CAUSES], best = { .q = INFINITY };
	size_t n = list_fitting_causes(f, list);

	for (uint32_t a = 0; a < f->n; a++) {
		for (uint32_t b = a + 1; b < f->n; b++) {
			struct hypothesis h = { .cause = { KIND_PAIR, a, b } };

			fit_cause(f, &h);
			if (h.d < 0 && h.q < best.q)
				best = h;
		}
	}
	for (size_t k = 0; k < n; k++)
		if (list[k].q - best.q < fmax(AHEAD, list[k].q / 4))
			return;
	if (!(-best.d >= f->rules->limits.host && -best.d >= Z_NAMED * best.se))
		return;
	judged_add_faster(f->room, j, 2);
	j->faster.members[j->faster.n++] = matrix_host(f->m, best.cause.a);
	j->faster.members[j->faster.n++] = matrix_host(f->m, best.cause.b);
	j->faster.by = -best.d;
	j->faster.rest = 2;
}

/* ---- unsteady hosts ---- */

/*
 * Writes a pair's values in its visits to u, sorted. Each is the mean of both directions, including
 * common effects. Returns their number.
 */
static size_t sort_visits(const struct peers *f, uint32_t i, uint32_t j, double *u)
{
	size_t n = 0;

	for (uint32_t v = 0; v < f->m->nvisits; v++) {
		u[n] = (f->m->y[matrix_at(f->m, v, i, j)] + f->m->y[matrix_at(f->m, v, j, i)]) / 2;
		n += !isnan(u[n]);
	}
	sort_doubles(u, n);
	return n;
}

/*
 * Returns the threshold g. It comes from the noise (3) of the steadiest pair, or with four hosts of
 * the second steadiest. Only pairs with two visits or more count.
 */
static double mixed_threshold(const struct peers *f)
{
	double sigma[SMALL_MOST * (SMALL_MOST - 1) / 2], *u = f->work;
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = i + 1; j < f->n; j++) {
			size_t visits = sort_visits(f, i, j, u), nd = 0;

			for (size_t a = 1; a < visits; a++)
				for (size_t b = 0; b < a; b++)
					u[visits + nd++] = u[a] - u[b];
			sigma[n] = 1.4826 * select_median(u + visits, nd) / sqrt(2);
			n += !isnan(sigma[n]);
		}
	}
	sort_doubles(sigma, n);
	return n > 1 ? fmax(G_LEAST, G_SIGMAS * G_STEADIEST * sigma[f->n == 4]) : INFINITY;
}

/*
 * Mixed pairs: n is their number, of[host] their number at each host, and drop the mean difference
 * between their visits.
 */
struct mixed {
	uint32_t n, of[SMALL_MOST];
	double drop;
	/* the host that two or more mixed pairs all share; else the number of hosts */
	uint32_t host;
};

/*
 * Finds the mixed pairs, whose visits differ by more than g. After a retest (`again`), the best
 * visit and the two worst visits of a pair do not count.
 */
static struct mixed find_mixed(const struct peers *f, bool again)
{
	struct mixed mixed = { .host = f->n };
	size_t high = again ? 2 : 1, low = again ? 2 : 0;
	double g = fmax(mixed_threshold(f), f->rules->limits.host), *u = f->work, drop;

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t j = i + 1; j < f->n; j++) {
			size_t n = sort_visits(f, i, j, u);

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
	for (uint32_t i = f->n; i-- > 0;)
		if (mixed.n >= 2 && mixed.of[i] == mixed.n)
			mixed.host = i;
	return mixed;
}

/* ---- retest ---- */

/* Measures all pairs once more, and stores the values as visit v. */
static void repeat_visit(struct matrix *m, uint32_t v, const struct rules *rules, struct rng *rng)
{
	struct encounter meetings[SMALL_MOST][SMALL_MOST];
	size_t n[SMALL_MOST] = { 0 };
	struct tournament t;

	if (tournament_make(&t, m->n, 0, rng))
		scratch_give_up(rules->room);
	for (uint32_t k = 0; k < t.nrounds; k++) {
		for (uint32_t i = 0; i < m->n; i++) {
			uint32_t j = tournament_meets(&t, k, i);

			if (j > i)
				meetings[k][n[k]++] = (struct encounter){ i, j, NAN, NAN };
		}
	}
	tournament_free(&t);
	for (uint32_t k = 0; k < SMALL_MOST && n[k]; k++) {
		ask_round(rules, m, meetings[k], n[k]);
		for (size_t p = 0; p < n[k]; p++) {
			const struct encounter *at = &meetings[k][p];

			m->y[matrix_at(m, v, at->i, at->j)] = at->ij;
			m->y[matrix_at(m, v, at->j, at->i)] = at->ji;
		}
	}
}

/* ---- the verdict ---- */

/* Adds the verdict on an unsteady host or, if there is none, on the best cause. */
static void add_verdict(struct peers *f, enum persistence persistence, struct map_judged *j)
{
	const uint32_t *host = f->m->host;
	struct mixed mixed = find_mixed(f, true);
	struct hypothesis best;
	struct map_verdict *v;
	struct cause next;

	if (f->n > 2 && mixed.host < f->n) {
		v = judged_add(f->room, j, KIND_UNSTEADY, host[mixed.host], host[mixed.host], 0);
		v->effect = mixed.drop;
	} else if (choose_cause(f, &best, &next)) {
		bool halves = best.cause.kind == KIND_HALVES;

		v = judged_add(f->room, j, best.cause.kind, host[best.cause.a],
			       host[best.cause.b], halves ? 2 : 0);
		v->or = (struct cause){ next.kind, host[next.a], host[next.b] };
		v->effect = best.d;
		v->se = best.se;
		if (halves) {
			v->members[v->nmembers++] = v->cause.a;
			v->members[v->nmembers++] = v->cause.b;
		}
	} else {
		j->normal += persistence == PERSISTENT;
		return;
	}
	v->persistence = persistence;
}

/*
 * True if the value from one host to another says nothing on `host`: the verdict explains it by
 * another host.
 */
static bool is_explained(const struct map_judged *j, uint32_t from, uint32_t to, uint32_t host)
{
	const struct cause *c = j->n ? &j->at[0].cause : NULL;

	return c && !j->at[0].or.kind && !(c->a == c->b && c->a == host) &&
	       cause_slows(c, from, to);
}

/*
 * Sets j->slow: for each host, how far its slower direction is below the median of all pairs. Pairs
 * that the verdict explains count for the named host only.
 */
static void set_slowness(const struct peers *f, struct map_judged *j)
{
	const uint32_t *host = f->m->host;
	double x[CELLS];
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		double out[SMALL_MOST], in[SMALL_MOST];
		size_t nout = 0, nin = 0;

		for (uint32_t p = 0; p < f->n; p++) {
			if (p == i || isnan(f->x[i * f->n + p]) || isnan(f->x[p * f->n + i]))
				continue;
			out[nout] = x[n] = f->x[i * f->n + p];
			in[nin] = f->x[p * f->n + i];
			nout += !is_explained(j, host[i], host[p], host[i]);
			nin += !is_explained(j, host[p], host[i], host[i]);
			n += !is_explained(j, host[i], host[p], UINT32_MAX);
		}
		/* fmin ignores NaN */
		j->slow[host[i]] = fmin(select_median(out, nout), select_median(in, nin));
	}
	j->mu = select_median(x, n);
	j->sigma = f->sigma;
	for (uint32_t i = 0; i < f->n; i++)
		j->slow[host[i]] = j->mu - j->slow[host[i]];
	j->least = j->least_pair = fmax(f->rules->limits.host, Z_NAMED * f->sp);
}

void small_judge(const struct matrix *m, const struct rules *rules, struct map_judged *j)
{
	uint32_t more = rules->again ? VISITS_AGAIN : 0;
	struct matrix own = matrix_copy(rules->room, m, NULL, m->n, more);
	struct hypothesis best;
	struct cause next;
	struct rng rng;
	struct peers f;

	own.nvisits = m->nvisits;
	f = fit_few_hosts(&own, rules);
	if (m->n == SMALL_MOST)
		find_faster_pair(&f, j);
	if (!j->why && !more) {
		add_verdict(&f, UNTESTED, j);
	} else if (!j->why && (choose_cause(&f, &best, &next) || find_mixed(&f, false).n >= 2)) {
		/* there is a suspicion, so measure 9 more visits */
		rng_seed(&rng, rules->seed);
		own.nvisits += more;
		for (uint32_t v = m->nvisits; v < own.nvisits; v++)
			repeat_visit(&own, v, rules, &rng);
		f = fit_few_hosts(&own, rules);
		add_verdict(&f, PERSISTENT, j);
	}
	set_slowness(&f, j);
}
