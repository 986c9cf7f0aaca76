/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/added.h"

#include <math.h>

#include "analyse/map/study/distance.h"
#include "base/sort.h"

/* True if the verdict concerns a pair; v NULL: if neither host is in a verdict. */
static bool shows(const struct map_verdict *v, const bool *named, uint32_t i, uint32_t j)
{
	const struct cause *c = v ? &v->cause : NULL;

	if (!c)
		return !named[i] && !named[j];
	if (c->b == c->a)
		return i == c->a || j == c->a;
	return (i == c->a && j == c->b) || (i == c->b && j == c->a);
}

/* The median round trip in s of pairs of a distance (NDISTANCES: any) that show v; NaN: none. */
static double time_of(const struct study *s, const bool *named, const struct map_verdict *v, int d,
		      double *y)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (!shows(v, named, i, j) || s->class[i] != s->class[j] ||
			    (d != NDISTANCES && (int)distance_of(s, i, j) != d))
				continue;
			y[n] = study_y(s, LATENCY, i, j);
			n += !isnan(y[n]);
		}
	}
	return study_unit(LATENCY, select_median(y, n));
}

void added_find(const struct study *s, struct scratch *room, struct map_judged *j)
{
	bool *named = scratch_take(room, s->n, sizeof(*named));
	double *y = scratch_take(room, (size_t)s->n * s->n, sizeof(*y));
	int first = s->leaf ? 0 : NDISTANCES, last = s->leaf ? NDISTANCES - 1 : NDISTANCES;

	for (size_t i = 0; i < j->n; i++) {
		named[j->at[i].cause.a] = named[j->at[i].cause.b] = true;
		for (size_t k = 0; k < j->at[i].nmembers; k++)
			named[j->at[i].members[k]] = true;
	}
	for (size_t i = 0; i < j->n; i++) {
		struct map_verdict *v = &j->at[i];
		bool seen = !v->nmembers && v->cause.kind != KIND_UNSTEADY;

		/* where there are distances, at the one where it adds most */
		for (int d = first; d <= last; d++) {
			double good = time_of(s, named, NULL, d, y);
			double bad = good * exp(v->effect);	/* groups, unsteady hosts */

			if (seen)
				bad = time_of(s, named, v, d, y);
			v->adds_s = fmax(v->adds_s, bad - good);
		}
	}
}

/*
 * Where ranks share cores, a round trip takes longer while both ranks are on one core. The system
 * may move ranks between visits, or leave them. Two numbers show how much longer. One is how
 * far the median pair is above the fastest pair, which is not affected. The other is how far the
 * visits of nine pairs in ten differ at most. An effect of twice the larger has another cause.
 */
double added_least(const struct study *s, struct scratch *room, const uint32_t *hosts, uint32_t n)
{
	size_t most = (size_t)n * n / 2 + 1, pairs = 0;
	double *t = scratch_take(room, most, sizeof(*t));
	double *range = scratch_take(room, most, sizeof(*range));
	double best = INFINITY, usual, odd;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			double visit[STUDY_VISITS], least = INFINITY, longest = 0;
			size_t visits = study_visits(s, LATENCY, hosts[i], hosts[j], visit);

			for (size_t v = 0; v < visits; v++) {
				least = fmin(least, visit[v]);
				longest = fmax(longest, visit[v]);
			}
			if (!visits)
				continue;
			range[pairs] = longest - least;
			t[pairs] = study_unit(LATENCY, study_y(s, LATENCY, hosts[i], hosts[j]));
			best = fmin(best, t[pairs++]);
		}
	}
	usual = pairs ? select_median(t, pairs) : NAN;
	odd = pairs ? select_double(range, pairs, (pairs - 1) * 9 / 10) : NAN;
	return log1p(2 * fmax(usual - best, odd) / best);
}
