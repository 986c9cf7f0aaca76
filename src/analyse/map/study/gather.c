/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/gather.h"

#include <math.h>

#include "analyse/map/study/distance.h"
#include "base/sort.h"

#define STAR 3			/* pairs, at least, that name their host */

static bool is_pair(const struct map_verdict *v)
{
	return (v->cause.kind == KIND_PAIR || v->cause.kind == KIND_DIRECTION) && !v->or.kind;
}

/* True if a verdict is on a pair of this host, of this distance. */
static bool is_of(const struct study *s, const struct map_verdict *v, uint32_t host,
		  enum distance d)
{
	return is_pair(v) && (v->cause.a == host || v->cause.b == host) &&
	       distance_of(s, v->cause.a, v->cause.b) == d;
}

/* Adds one verdict on a host, in place of n on its pairs. */
static void name_host(struct scratch *room, struct map_judged *j, uint32_t host,
		      const struct map_verdict *pairs, size_t n)
{
	struct map_verdict *v = judged_add(room, j, KIND_HOST, host, host, 0);
	double *effect = scratch_take(room, n, sizeof(*effect));
	double *se = scratch_take(room, n, sizeof(*se));
	size_t sends = 0, receives = 0;

	v->persistence = PERSISTENT;
	for (size_t k = 0; k < n; k++) {
		bool one_way = pairs[k].cause.kind == KIND_DIRECTION;

		sends += one_way && pairs[k].cause.a == host;
		receives += one_way && pairs[k].cause.b == host;
		effect[k] = pairs[k].effect;
		se[k] = pairs[k].se;
		if (pairs[k].persistence != PERSISTENT)
			v->persistence = UNTESTED;
	}
	v->cause.kind = sends == n ? KIND_SEND : receives == n ? KIND_RECEIVE : KIND_HOST;
	v->effect = select_median(effect, n);
	v->se = select_median(se, n);
	j->slow[host] = fmax(j->slow[host], v->effect);
}

void gather_pairs(const struct study *s, struct scratch *room, struct map_judged *j)
{
	struct map_verdict *pairs = scratch_take(room, j->n, sizeof(*pairs));

	for (uint32_t host = 0; host < s->n; host++) {
		for (int d = 0; d < NDISTANCES; d++) {
			size_t n = 0, left = 0, partners = 0;
			bool named = false;

			for (size_t k = 0; k < j->n; k++)
				named |= !is_pair(&j->at[k]) && !j->at[k].nmembers &&
					 j->at[k].cause.a == host;
			for (uint32_t i = 0; i < s->n; i++)
				partners += i != host &&
					    distance_of(s, host, i) == (enum distance)d;
			for (size_t k = 0; k < j->n; k++)
				n += is_of(s, &j->at[k], host, (enum distance)d);
			if (n < (named ? 2 : STAR) || 2 * n <= partners)
				continue;
			n = 0;
			for (size_t k = 0; k < j->n; k++) {
				if (is_of(s, &j->at[k], host, (enum distance)d))
					pairs[n++] = j->at[k];
				else
					j->at[left++] = j->at[k];
			}
			j->n = left;
			if (!named)
				name_host(room, j, host, pairs, n);
		}
	}
}
