/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/gather.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/map/study/distance.h"
#include "base/error.h"
#include "base/sort.h"

#define STAR 3			/* pairs, at least, that name their host */

static bool is_pair(const struct map_verdict *v)
{
	return (v->cause.kind == KIND_PAIR || v->cause.kind == KIND_DIRECTION) && !v->or.kind;
}

/* A pair of a host with another of a distance. */
static bool is_of(const struct study *s, const struct map_verdict *v, uint32_t host,
		  enum distance d)
{
	return is_pair(v) && (v->cause.a == host || v->cause.b == host) &&
	       distance_of(s, v->cause.a, v->cause.b) == d;
}

/* What a host's pairs have in common. */
static struct cause cause_of(const struct map_verdict *pairs, size_t n, uint32_t host)
{
	size_t sends = 0, receives = 0;

	for (size_t k = 0; k < n; k++) {
		bool one_way = pairs[k].cause.kind == KIND_DIRECTION;

		sends += one_way && pairs[k].cause.a == host;
		receives += one_way && pairs[k].cause.b == host;
	}
	return (struct cause){ sends == n ? KIND_SEND : receives == n ? KIND_RECEIVE : KIND_HOST,
			       host, host };
}

static bool is_named(const struct map_judged *j, uint32_t host)
{
	for (size_t k = 0; k < j->n; k++)
		if (!is_pair(&j->at[k]) && !j->at[k].nmembers && j->at[k].cause.a == host)
			return true;
	return false;
}

/* Takes verdicts on pairs of a host and a distance out of all others; returns how many. */
static size_t take_pairs(const struct study *s, struct map_judged *j, uint32_t host,
			 enum distance d, struct map_verdict *to)
{
	size_t left = 0, n = 0;

	for (size_t k = 0; k < j->n; k++) {
		if (is_of(s, &j->at[k], host, d))
			to[n++] = j->at[k];
		else
			j->at[left++] = j->at[k];
	}
	j->n = left;
	return n;
}

/* One verdict for n on pairs. */
static int name_host(struct map_judged *j, uint32_t host, const struct map_verdict *pairs, size_t n,
		     double *work)
{
	struct map_verdict *v = judged_add(j, KIND_HOST);

	if (!v)
		return ST_FAILED;
	v->cause = cause_of(pairs, n, host);
	v->persistence = PERSISTENT;
	for (size_t k = 0; k < n; k++) {
		work[k] = pairs[k].effect;
		if (pairs[k].persistence != PERSISTENT)
			v->persistence = UNTESTED;
	}
	v->effect = select_median(work, n);
	for (size_t k = 0; k < n; k++)
		work[k] = pairs[k].se;
	v->se = select_median(work, n);
	j->slow[host] = fmax(j->slow[host], v->effect);
	return ST_OK;
}

/* How many of a host's pairs of a distance are named, and how many there are. */
static size_t count_pairs(const struct study *s, const struct map_judged *j, uint32_t host,
			  enum distance d, size_t *partners)
{
	size_t n = 0;

	*partners = 0;
	for (uint32_t i = 0; i < s->n; i++)
		*partners += i != host && distance_of(s, host, i) == d;
	for (size_t k = 0; k < j->n; k++)
		n += is_of(s, &j->at[k], host, d);
	return n;
}

int gather_pairs(const struct study *s, struct map_judged *j)
{
	size_t room = j->n + 1, partners;
	struct map_verdict *pairs = calloc(room, sizeof(*pairs));
	double *work = calloc(room, sizeof(*work));
	int err = pairs && work ? ST_OK : error_report("no memory for %zu verdicts", j->n);

	for (uint32_t host = 0; host < s->n && !err; host++) {
		for (int d = 0; d < NDISTANCES && !err; d++) {
			size_t n = count_pairs(s, j, host, (enum distance)d, &partners);
			bool named = is_named(j, host);

			if (n < (named ? 2 : STAR) || 2 * n <= partners)
				continue;
			n = take_pairs(s, j, host, (enum distance)d, pairs);
			if (!named)
				err = name_host(j, host, pairs, n, work);
		}
	}
	free(pairs);
	free(work);
	return err;
}
