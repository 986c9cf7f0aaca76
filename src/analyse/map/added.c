/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/added.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/study/distance.h"
#include "base/error.h"
#include "base/sort.h"

/*
 * The median of what pairs of a distance (NDISTANCES: any) without any verdict have, s; or of the
 * pairs of a cause. NaN if there are none.
 */
static double time_of(const struct study *s, const bool *named, const struct map_verdict *v,
		      enum distance d)
{
	double *y = malloc(((size_t)s->n * s->n + 1) * sizeof(*y)), t;
	size_t n = 0;

	for (uint32_t i = 0; i < s->n && y; i++) {
		for (uint32_t j = 0; j < i; j++) {
			const struct cause *c = v ? &v->cause : NULL;
			bool pair = c && c->b != c->a;
			bool in = !c ? !named[i] && !named[j]
				: pair ? (i == c->a && j == c->b) || (i == c->b && j == c->a)
				       : i == c->a || j == c->a;

			in = in && s->class[i] == s->class[j] &&
			     (d == NDISTANCES || distance_of(s, i, j) == d);
			y[n] = in ? study_y(s, LATENCY, i, j) : NAN;
			n += !isnan(y[n]);
		}
	}
	t = y ? study_unit(LATENCY, select_median(y, n)) : NAN;
	free(y);
	return t;
}

/* How much a cause adds: where there are distances, at the one where it adds most. */
static double added_by(const struct study *s, const bool *named, const struct map_verdict *v)
{
	bool seen = !v->nmembers && v->cause.kind != KIND_UNSTEADY;
	int first = s->leaf ? 0 : NDISTANCES, last = s->leaf ? NDISTANCES - 1 : NDISTANCES;
	double most = NAN;

	for (int d = first; d <= last; d++) {
		double good = time_of(s, named, NULL, (enum distance)d);
		double bad = good * exp(v->effect);	/* of groups, and of what is unsteady */

		if (seen)
			bad = time_of(s, named, v, (enum distance)d);
		most = fmax(most, bad - good);
	}
	return most;
}

/* How much time the named ones add to a round trip's half. */
int added_find(const struct study *s, struct map_judged *j)
{
	bool *named = calloc(s->n + 1, sizeof(*named));

	if (!named)
		return error_report("no memory for %u hosts", s->n);
	for (size_t i = 0; i < j->n; i++) {
		named[j->at[i].cause.a] = named[j->at[i].cause.b] = true;
		for (size_t k = 0; k < j->at[i].nmembers; k++)
			named[j->at[i].members[k]] = true;
	}
	for (size_t i = 0; i < j->n; i++)
		j->at[i].adds_s = added_by(s, named, &j->at[i]);
	free(named);
	return ST_OK;
}

/* By how much the visits of a pair differ, s. */
static double range_of(const struct study *s, uint32_t i, uint32_t j)
{
	double t[STUDY_VISITS], least = INFINITY, most = 0;
	size_t n = study_visits(s, LATENCY, i, j, t);

	for (size_t v = 0; v < n; v++) {
		least = fmin(least, t[v]);
		most = fmax(most, t[v]);
	}
	return n ? most - least : 0;
}

/*
 * Where ranks share cores, round trips of a pair depend on whether its two are on one core, for as
 * long as the system leaves them there: visits may agree, or not. How much that is the quickest
 * pair shows, that knows nothing of it, or nine of ten pairs by how their visits differ: what adds
 * at least twice as much is due to something else. In logs.
 */
double added_least(const struct study *s, const uint32_t *hosts, uint32_t n)
{
	size_t room = (size_t)n * n / 2 + 1, pairs = 0;
	double *t = calloc(room, sizeof(*t)), *range = calloc(room, sizeof(*range));
	double best = INFINITY, usual, odd;

	for (uint32_t i = 0; i < n && t && range; i++) {
		for (uint32_t j = 0; j < i; j++) {
			t[pairs] = study_unit(LATENCY, study_y(s, LATENCY, hosts[i], hosts[j]));
			range[pairs] = range_of(s, hosts[i], hosts[j]);
			if (isnan(t[pairs]))
				continue;
			best = fmin(best, t[pairs++]);
		}
	}
	usual = pairs ? select_median(t, pairs) : NAN;
	odd = pairs ? select_double(range, pairs, (pairs - 1) * 9 / 10) : NAN;
	free(t);
	free(range);
	return log1p(2 * fmax(usual - best, odd) / best);
}
