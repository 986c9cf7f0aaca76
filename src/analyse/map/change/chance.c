/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/change/chance.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/judge/fit.h"
#include "analyse/map/judge/unsteady.h"
#include "base/sort.h"

#define VISITS_LEAST 2		/* a pair is named only if each map has this number of visits */
#define PAIRS_LEAST 0.005	/* smallest standard error: pairs differ by this much anyway */

/* ---- many tests ---- */

double largest_p_by_holm(double *p, size_t n, size_t m)
{
	size_t k = 0;

	sort_doubles(p, n);
	while (k < n && p[k] <= CHANGE_CHANCE / (double)(m - k))
		k++;
	return k ? p[k - 1] : -1;
}

double largest_p_by_fdr(double *p, size_t n, size_t m)
{
	size_t k = n;

	sort_doubles(p, n);
	while (k && p[k - 1] > CHANGE_CHANCE * (double)k / (double)m)
		k--;
	return k ? p[k - 1] : -1;
}

/* Returns the two-sided p-value of an effect of z standard errors. */
static double two_sided_p(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

/* ---- hosts ---- */

/* True for a verdict on a host, or on one direction of a host. */
static bool is_of_host(const struct map_verdict *v)
{
	return v->cause.kind == KIND_HOST || v->cause.kind == KIND_SEND ||
	       v->cause.kind == KIND_RECEIVE;
}

void chance_drop_hosts(const struct change_of *of, struct map_judged *j)
{
	double *p = calloc(j->n + 1, sizeof(*p)), most;
	size_t hosts = of->m.symmetric ? of->m.n : 2 * (size_t)of->m.n, n = 0, to = 0;

	for (size_t k = 0; k < j->n && p; k++)
		if (is_of_host(&j->at[k]))
			p[n++] = two_sided_p(j->at[k].effect / j->at[k].se);
	most = p ? largest_p_by_holm(p, n, hosts) : -1;
	for (size_t k = 0; k < j->n; k++) {
		struct map_verdict *v = &j->at[k];

		if (!is_of_host(v) || two_sided_p(v->effect / v->se) <= most)
			j->at[to++] = *v;
	}
	j->n = to;
	free(p);
}

/* ---- pairs ---- */

/* The changes of pairs, minus the changes of the network, of their hosts and of groups. */
struct residuals {
	/* for A and B: the visits minus their common effects, and the medians over the visits */
	struct peers side[2];
	const uint32_t *const *host;	/* numbers of the hosts in A and in B */
	struct peers f;		/* a fit to the changes of the medians */
	double se;		/* standard error of a pair's change */
	float *p;		/* [sender][receiver]; NaN: not tested */
	/* absolute differences between two visits of a pair, sorted, smallest first */
	double *apart;
	size_t napart;
};

/*
 * Returns the share of visits that are slower by more than `by` than another visit of the same
 * pair; never 0.
 */
static double share_of_slower_visits(const struct residuals *r, double by)
{
	size_t low = 0, high = r->napart;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (r->apart[mid] > by)
			high = mid;
		else
			low = mid + 1;
	}
	return (double)(r->napart - low + 1) / (double)(r->napart + 1) / 2;
}

/*
 * Returns the p-value of a pair's change, which is the larger of two. The first comes from the
 * standard error. The second allows for visits that are disturbed as a whole. It comes from the
 * visits of the slower result that are slow by at least half of the change.
 */
static double p_value_of_pair(const struct residuals *r, uint32_t i, uint32_t j)
{
	double residuals = fit_residual(&r->f, i, j), half = fabs(residuals) / 2;
	int slow = residuals < 0 ? B : A;
	const struct peers *f = &r->side[slow];
	uint32_t a = r->host[slow][i], b = r->host[slow][j], visits = 0, beyond = 0;

	for (uint32_t v = 0; v < f->m->nvisits; v++) {
		double above = fit_value(f, v, a, b) - f->x[(size_t)a * f->n + b];

		visits += !isnan(above);
		beyond += above < half;
	}
	return fmax(two_sided_p(residuals / r->se),
		    fmin(1, 2 * binomial_tail(visits, beyond, share_of_slower_visits(r, half))));
}

/* True if both hosts have verdicts. If so, the slower host explains the value of their pair. */
static bool both_hosts_have_verdicts(const struct change_of *of, uint32_t i, uint32_t j)
{
	bool of_i = false, of_j = false;

	for (int k = 0; k < 2; k++) {
		for (size_t at = 0; at < of->found[k].n; at++) {
			const struct map_verdict *v = &of->found[k].at[at];

			of_i |= is_of_host(v) && v->cause.a == i;
			of_j |= is_of_host(v) && v->cause.a == j;
		}
	}
	return of_i && of_j;
}

/* Adds the absolute differences between consecutive visits of pairs to r->apart. */
static void add_visit_differences(struct residuals *r, const struct peers *f)
{
	uint32_t visits = f->m->nvisits;

	for (struct pair_walk w = fit_walk(f, 2 * (size_t)visits); next_pair(&w);) {
		for (uint32_t v = 1; v < visits && w.i != w.j && r->napart < FIT_MANY; v++) {
			double *to = &r->apart[r->napart];

			*to = fabs(fit_value(f, v, w.i, w.j) - fit_value(f, v - 1, w.i, w.j));
			r->napart += !isnan(*to);
		}
	}
}

/*
 * Returns the part of a pair's change that a verdict on a group explains; 0 without such a verdict.
 */
static double change_of_group(const struct change_of *of, uint32_t i, uint32_t j)
{
	const struct map_verdict *v = change_cause(of, i, j);
	const struct map_judged *faster = &of->found[1];

	if (!v || !v->nmembers)
		return 0;
	return v >= faster->at && v < faster->at + faster->n ? v->effect : -v->effect;
}

/*
 * Subtracts the changes of groups from the changes of the medians. Then estimates the changes of
 * the network and of the hosts.
 */
static void fit_changes(const struct changes *c, const struct change_of *of, struct residuals *r)
{
	struct matrix *m = scratch_take(c->rules.room, 1, sizeof(*m));

	*m = (struct matrix){ .n = c->n, .nvisits = 1, .symmetric = of->m.symmetric };
	m->y = scratch_take(c->rules.room, (size_t)c->n * c->n, sizeof(*m->y));
	r->apart = scratch_take(c->rules.room, FIT_MANY, sizeof(*r->apart));
	for (int side = A; side <= B; side++) {
		struct matrix *all = scratch_take(c->rules.room, 1, sizeof(*all));

		*all = study_matrix(&c->s[side], of->quantity, c->rules.room);
		r->side[side] = fit_make(all, &c->rules);
		fit_centre_visits(&r->side[side]);
		add_visit_differences(r, &r->side[side]);
	}
	sort_doubles(r->apart, r->napart);
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < c->n; j++) {
			const struct peers *a = &r->side[A], *b = &r->side[B];

			m->y[(size_t)i * c->n + j] =
				b->x[(size_t)r->host[B][i] * b->n + r->host[B][j]] -
				a->x[(size_t)r->host[A][i] * a->n + r->host[A][j]] -
				(float)change_of_group(of, i, j);
		}
	}
	r->f = fit_make(m, &c->rules);
	fit_all(&r->f);
	r->se = hypot(fmax(r->f.sp, of->se), PAIRS_LEAST);
}

/* Tests all pairs. Returns the largest p-value that is significant. */
static double test_pairs(const struct changes *c, const struct change_of *of, struct residuals *r)
{
	double *p = scratch_take(c->rules.room, (size_t)c->n * c->n, sizeof(*p));
	size_t n = 0;

	r->p = scratch_take(c->rules.room, (size_t)c->n * c->n, sizeof(*r->p));
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < c->n; j++) {
			float *one = &r->p[(size_t)i * c->n + j];

			*one = NAN;
			if (i == j || (of->m.symmetric && j < i) ||
			    isnan(fit_residual(&r->f, i, j)) || both_hosts_have_verdicts(of, i, j))
				continue;
			*one = (float)p_value_of_pair(r, i, j);
			p[n++] = *one;
		}
	}
	return largest_p_by_fdr(p, n, n);
}

/*
 * Adds a verdict on a pair, or on one direction. The verdict names both directions if the reverse
 * direction's effect is more than half as large.
 */
static void add_pair_verdict(const struct changes *c, struct change_of *of,
			     const struct residuals *r, uint32_t i, uint32_t j, double most)
{
	double residuals = fit_residual(&r->f, i, j), back = fit_residual(&r->f, j, i);
	double least = c->rules.limits.pair;
	bool other = r->p[(size_t)j * c->n + i] <= most && fabs(back) > least;
	bool both = of->m.symmetric ||
		    (back / residuals > 0.5 && fabs(midpoint(residuals, back)) > least);
	struct map_verdict *v;

	if (!(r->p[(size_t)i * c->n + j] <= most) || !(fabs(residuals) > least))
		return;
	if (both && other && j < i)
		return;		/* the verdict on the other direction names this one, too */
	v = judged_add(c->rules.room, &of->found[residuals > 0], both ? KIND_PAIR : KIND_DIRECTION,
		       both && j < i ? j : i, both && j < i ? i : j, 0);
	v->effect = fabs(both ? midpoint(residuals, back) : residuals);
	v->se = r->se;
}

void chance_judge_pairs(const struct changes *c, struct change_of *of)
{
	struct scratch_piece *mark = c->rules.room->last;
	struct residuals r = { .host = (const uint32_t *const *)c->host };
	double most;

	if (c->s[A].nvisits < VISITS_LEAST || c->s[B].nvisits < VISITS_LEAST || of->found[0].why)
		return;
	fit_changes(c, of, &r);
	most = test_pairs(c, of, &r);
	for (uint32_t i = 0; i < c->n; i++)
		for (uint32_t j = 0; j < c->n; j++)
			add_pair_verdict(c, of, &r, i, j, most);
	judged_sort(&of->found[0]);
	judged_sort(&of->found[1]);
	scratch_free(c->rules.room, mark);
}
