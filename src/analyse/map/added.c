/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/added.h"

#include <math.h>
#include <string.h>

#include "analyse/map/study/distance.h"
#include "base/sort.h"

/* True if verdict v concerns the pair i, j. If v is NULL: true if no verdict names either host. */
static bool concerns_pair(const struct map_verdict *v, const bool *named, uint32_t i, uint32_t j)
{
	const struct cause *c = v ? &v->cause : NULL;

	if (!c)
		return !named[i] && !named[j];
	if (c->b == c->a)
		return i == c->a || j == c->a;
	return (i == c->a && j == c->b) || (i == c->b && j == c->a);
}

/*
 * Median half round trip, in s, of the pairs that v concerns and whose distance is d. If d is
 * NDISTANCES, any distance counts. NaN: no such pair.
 */
static double median_half_round_trip(const struct study *s, const bool *named,
				     const struct map_verdict *v, int d, double *y)
{
	size_t n = 0;

	for (struct met p = STUDY_BEGIN; study_next(s, &p);) {
		if (p.j > p.i || !concerns_pair(v, named, p.i, p.j) ||
		    s->class[p.i] != s->class[p.j] ||
		    (d != NDISTANCES && (int)distance_of(s, p.i, p.j) != d))
			continue;
		y[n] = study_y(s, LATENCY, p.i, p.j);
		n += !isnan(y[n]);
	}
	return study_unit(LATENCY, select_median(y, n));
}

void find_added_seconds(const struct study *s, struct scratch *room, struct map_judged *j)
{
	bool *named = scratch_take(room, s->n, sizeof(*named));
	double *y = scratch_take(room, study_count_cells(s), sizeof(*y));
	int first = s->leaf ? 0 : NDISTANCES, last = s->leaf ? NDISTANCES - 1 : NDISTANCES;

	for (size_t i = 0; i < j->n; i++) {
		if (j->at[i].sharing)		/* the hosts of shared links are not at fault */
			continue;
		named[j->at[i].cause.a] = named[j->at[i].cause.b] = true;
		for (size_t k = 0; k < j->at[i].nmembers; k++)
			named[j->at[i].members[k]] = true;
	}
	for (size_t i = 0; i < j->n; i++) {
		struct map_verdict *v = &j->at[i];
		bool seen = !v->nmembers && v->cause.kind != KIND_UNSTEADY;

		if (v->sharing)
			continue;
		/* with a topology, use the distance at which pairs are lengthened most */
		for (int d = first; d <= last; d++) {
			double good = median_half_round_trip(s, named, NULL, d, y);
			/* estimate from the effect, for groups and unsteady hosts */
			double bad = good * exp(v->effect);

			if (seen)
				bad = median_half_round_trip(s, named, v, d, y);
			v->adds_s = fmax(v->adds_s, bad - good);
		}
	}
}

/*
 * Returns the smallest effect, as a logarithm, that chance does not explain. Where ranks share
 * cores, a round trip takes longer while both ranks are on one core. The system may move ranks
 * between visits. Two numbers estimate the delay. The first is the median pair's time minus the
 * fastest pair's time; the fastest pair is not delayed. The second is the 90 % quantile, over the
 * pairs, of the range of a pair's visits. An effect of more than twice the larger number has
 * another cause.
 */
double least_above_chance(const struct study *s, struct scratch *room, uint32_t class)
{
	size_t most = study_count_cells(s), pairs = 0;
	double *t = scratch_take(room, most, sizeof(*t));
	double *range = scratch_take(room, most, sizeof(*range));
	double best = INFINITY, usual, odd;

	for (struct met p = STUDY_BEGIN; study_next(s, &p);) {
		double visit[STUDY_VISITS], least = INFINITY, longest = 0;
		size_t visits = p.j < p.i ? study_visits(s, LATENCY, p.i, p.j, visit) : 0;

		for (size_t v = 0; v < visits; v++) {
			least = fmin(least, visit[v]);
			longest = fmax(longest, visit[v]);
		}
		if (!visits || s->class[p.i] != class || s->class[p.j] != class)
			continue;
		range[pairs] = longest - least;
		t[pairs] = study_unit(LATENCY, study_y(s, LATENCY, p.i, p.j));
		best = fmin(best, t[pairs++]);
	}
	usual = pairs ? select_median(t, pairs) : NAN;
	odd = pairs ? select_double(range, pairs, (pairs - 1) * 9 / 10) : NAN;
	return log1p(2 * fmax(usual - best, odd) / best);
}

#define PAIRS_LEAST 2		/* fewest failed pairs of a host that is named as silent */

/* Returns the time of the latest success of a pair in either direction; 0: never. */
static uint64_t last_success(const struct study *s, uint32_t i, uint32_t j)
{
	uint64_t last = 0;

	for (uint32_t v = 0; v < s->nvisits; v++) {
		for (int q = 0; q < NQUANTITIES; q++) {
			bool there = !isnan(study_value(s, (enum quantity)q, v, i, j));
			bool back = !isnan(study_value(s, (enum quantity)q, v, j, i));
			uint64_t when = study_time(v, there ? study_round(s, v, i, j)
							    : study_round(s, v, j, i));

			if ((there || back) && when > last)
				last = when;
		}
	}
	return last;
}

/* Facts about each host that decide whether it is named as silent. */
struct silent_hosts {
	uint64_t *last;			/* time of the latest success with any host */
	uint32_t *pairs;		/* number of pairs that failed after that time */
	bool *named;
};

/*
 * Returns the next host to name as silent. Hosts that the job has lost come first. Next comes the
 * host with the most pairs that failed after the host's latest success. Returns n if there is no
 * other host.
 */
static uint32_t next_silent_host(const struct study *s, struct silent_hosts *x)
{
	uint32_t most = s->n;

	for (uint32_t i = 0; i < s->n && s->gone; i++)
		if (s->gone[i] && !x->named[i])
			return i;
	memset(x->pairs, 0, s->n * sizeof(*x->pairs));
	for (size_t k = 0; k < s->nfailures; k++) {
		const struct failure *f = &s->failure[k];
		bool last = k + 1 == s->nfailures || f[1].sender != f->sender ||
			    f[1].receiver != f->receiver;
		uint32_t a = f->sender, b = f->receiver;

		/*
		 * Count a pair once: use its latest failure. If both directions failed, use the
		 * first direction.
		 */
		if (!last || x->named[a] || x->named[b] ||
		    (a > b && study_failed(s, (uint32_t)(f->when >> 32), b, a)))
			continue;
		x->pairs[a] += f->when > x->last[a];
		x->pairs[b] += f->when > x->last[b];
	}
	for (uint32_t i = 0; i < s->n; i++)
		if (!x->named[i] && x->pairs[i] >= PAIRS_LEAST &&
		    (most == s->n || x->pairs[i] > x->pairs[most]))
			most = i;
	return most;
}

void judge_silent_hosts(const struct study *s, struct scratch *room, struct map_judged *j)
{
	struct silent_hosts x = { scratch_take(room, s->n, sizeof(*x.last)),
				  scratch_take(room, s->n, sizeof(*x.pairs)),
				  scratch_take(room, s->n, sizeof(*x.named)) };
	uint32_t host;

	for (struct met p = STUDY_BEGIN; s->nfailures && study_next(s, &p);) {
		uint64_t last = last_success(s, p.i, p.j);

		x.last[p.i] = last > x.last[p.i] ? last : x.last[p.i];
		x.last[p.j] = last > x.last[p.j] ? last : x.last[p.j];
	}
	while ((host = next_silent_host(s, &x)) < s->n) {
		judged_add(room, j, KIND_UNREACHABLE, host, host, 0);
		x.named[host] = true;
	}
	/* then pairs of other hosts that failed and did not succeed later */
	for (size_t k = 0; k < s->nfailures; k++) {
		const struct failure *f = &s->failure[k], *before = k ? f - 1 : NULL;
		uint32_t a = f->sender, b = f->receiver;
		struct map_verdict *v;

		if (x.named[a] || x.named[b] || last_success(s, a, b) > f->when ||
		    (before && before->sender == a && before->receiver == b) ||
		    (a > b && study_failed(s, (uint32_t)(f->when >> 32), b, a)))
			continue;
		v = judged_add(room, j, KIND_UNREACHABLE, a, b, 2);
		v->members[v->nmembers++] = a;
		v->members[v->nmembers++] = b;
	}
}

#define PAIRS_TO_NAME_HOST 3	/* fewest named pairs for a verdict on their host */

/* True for a verdict on a pair or a direction that is not ambiguous. */
static bool is_pair_verdict(const struct map_verdict *v)
{
	return (v->cause.kind == KIND_PAIR || v->cause.kind == KIND_DIRECTION) && !v->or.kind;
}

/* True if a verdict is about a pair of this host, and the pair is within a leaf or is not. */
static bool is_pair_of_host(const uint32_t *leaf, const struct map_verdict *v, uint32_t host,
			    bool within)
{
	return is_pair_verdict(v) && (v->cause.a == host || v->cause.b == host) &&
	       (leaf[v->cause.a] == leaf[v->cause.b]) == within;
}

/* Adds one verdict on a host, in place of the n verdicts on its pairs. */
static void replace_by_host_verdict(struct scratch *room, struct map_judged *j, uint32_t host,
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

/*
 * Returns the leaf of each host: from the topology or, if that is not known, from the verdict on
 * shared links. NULL: no leaf is known.
 */
static const uint32_t *known_leaves(const struct study *s, struct scratch *room,
				    const struct map_judged *j)
{
	uint32_t *leaf;
	size_t k = 0;

	while (k < j->n && j->at[k].cause.kind != KIND_SHARED)
		k++;
	if (s->leaf || k == j->n || !j->at[k].sharing->nleaves)
		return s->leaf;
	leaf = scratch_take(room, s->n, sizeof(*leaf));
	for (uint32_t i = 0; i < s->n; i++)
		leaf[i] = s->n + i;	/* a host of no leaf is alone in its own */
	for (uint32_t l = 0, at = 0; l < j->at[k].sharing->nleaves; l++)
		for (uint32_t i = 0; i < j->at[k].sharing->size[l]; i++)
			leaf[j->at[k].members[at++]] = l;
	return leaf;
}

void name_hosts_of_pairs(const struct study *s, struct scratch *room, struct map_judged *j)
{
	struct map_verdict *pairs = scratch_take(room, j->n, sizeof(*pairs));
	const uint32_t *leaf = known_leaves(s, room, j);

	for (uint32_t at = 0; leaf && at < 2 * s->n; at++) {
		size_t n = 0, left = 0, partners = 0;
		bool named = false, within = at % 2;
		uint32_t host = at / 2;

		for (size_t k = 0; k < j->n; k++)
			named |= !is_pair_verdict(&j->at[k]) && !j->at[k].nmembers &&
				 j->at[k].cause.a == host;
		for (uint32_t i = 0; i < s->n; i++)
			partners += i != host && (leaf[i] == leaf[host]) == within;
		for (size_t k = 0; k < j->n; k++)
			n += is_pair_of_host(leaf, &j->at[k], host, within);
		if (n < (named ? 2 : PAIRS_TO_NAME_HOST) || 2 * n <= partners)
			continue;
		n = 0;
		for (size_t k = 0; k < j->n; k++) {
			if (is_pair_of_host(leaf, &j->at[k], host, within))
				pairs[n++] = j->at[k];
			else
				j->at[left++] = j->at[k];
		}
		j->n = left;
		if (!named)
			replace_by_host_verdict(room, j, host, pairs, n);
	}
}
