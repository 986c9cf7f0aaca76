/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/play.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "measure/sink/sink.h"

/*
 * a host is excluded from further pairs ("out") after this many consecutive pairs without an answer
 */
#define SILENT_PAIRS 3

void broadcast_long(struct session *s, void *buf, size_t len)
{
	for (size_t done = 0; done < len; done += JOB_GATHER_MAX) {
		size_t part = len - done < JOB_GATHER_MAX ? len - done : JOB_GATHER_MAX;

		session_bcast(s, (char *)buf + done, part);
	}
}

/* ---- room ---- */

int host_rank(const struct mapping *m, uint32_t host)
{
	return m->rank ? m->rank[host] : (int)host;
}

bool host_is_out(const struct mapping *m, uint32_t host)
{
	return m->any_out && m->out[host];
}

bool others_need_all_pairs(const struct mapping *m)
{
	bool all = m->any_out;

	for (int q = 0; q < NQUANTITIES; q++)
		all |= m->at_once[q] < m->n / 2;
	return all;
}

bool rank_needs_all_pairs(const struct mapping *m)
{
	return session_is_root(m->s) || others_need_all_pairs(m);
}

void pairs_free_room(struct mapping *m)
{
	free(m->pairs.order);
	free(m->pairs.at);
	free(m->at);
}

void pairs_make_room(struct mapping *m)
{
	size_t size = (size_t)m->s->job->size, most = rank_needs_all_pairs(m) ? m->n / 2 + 1 : 1;
	struct groups *g = &m->pairs;

	if (m->most >= most)
		return;
	pairs_free_room(m);
	m->most = most;
	m->npairs = 0;
	m->at = calloc(NQUANTITIES * most, sizeof(*m->at));
	*g = (struct groups){ .order = calloc(6 * most, sizeof(*g->order)), .own = -1,
			      .longest = 2 };
	g->first = g->order + 2 * most;
	g->len = g->first + 2 * most;
	if (most > 1)
		g->at = malloc(size * sizeof(*g->at));
	for (size_t r = 0; r < size && g->at; r++)
		g->at[r] = -1;
	if (!m->out && m->s->ep->caps & CAP_LOSS)
		m->out = calloc(m->n, sizeof(*m->out));
	if (!m->at || !g->order || (most > 1 && !g->at) || (!m->out && m->s->ep->caps & CAP_LOSS))
		session_abort(m->s, error_report("no memory for %zu ranks", size));
}

/* ---- measuring pairs ---- */

/* Makes a group of each of the n pairs (i, j). Host i sends to j or, if `turned`, j sends to i. */
static void set_groups(struct mapping *m, const struct encounter *at, size_t n, bool turned)
{
	struct groups *g = &m->pairs;

	g->own = -1;
	for (size_t p = 0; p < 2 * m->npairs && g->at; p++)
		g->at[g->order[p]] = -1;
	m->npairs = n;
	for (size_t k = 0; k < n; k++) {
		int place = 2 * (int)k, i = host_rank(m, at[k].i), j = host_rank(m, at[k].j);

		g->order[place] = turned ? j : i;
		g->order[place + 1] = turned ? i : j;
		for (int p = place; p < place + 2; p++) {
			if (g->at)
				g->at[g->order[p]] = p;
			if (g->order[p] == m->s->job->rank)
				g->own = p;
			g->first[p] = place;
			g->len[p] = 2;
		}
	}
}

/*
 * Returns ln(bandwidth) or -ln(half round trip) of a pair, from the times of the pair's timed rank.
 * For BIDIRECTIONAL, uses the longer of the two ranks' times. Returns NaN if there are no times, or
 * if one rank has lost the other.
 */
static float pair_value(const struct mapping *m, const struct result *res, enum quantity q,
			const int rank[2])
{
	size_t size = (size_t)m->s->job->size, n = res->apart.n / size;
	double t, loops = (double)res->loops;

	for (size_t k = 0; k < n; k++) {
		const double *at = res->apart.s + k * size;

		if (!isfinite(at[rank[0]]) || !isfinite(at[rank[1]]))
			return NAN;
		m->work[k] = at[rank[0]];
		if (q == BIDIRECTIONAL)
			m->work[k] = fmax(m->work[k], at[rank[1]]);
	}
	t = m->spec[q].rank_times == RANKS_LEAST ? select_double(m->work, n, 0)
						  : select_median(m->work, n);
	if (!(t > 0))
		return NAN;
	if (q == LATENCY)
		return (float)-log(t / (2 * loops));
	loops *= res->spec->window * (q == BIDIRECTIONAL ? 2 : 1);
	return (float)log((double)res->spec->size * loops / t);
}

/*
 * Measures n pairs at the same time. Rank 0 sets `ij` of each pair or, if `turned`, `ji`; both if
 * the quantity is symmetric. Returns false if the run is over.
 */
static bool measure_direction(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
			      bool turned)
{
	struct session *s = m->s;
	struct spec *spec = &m->spec[q];
	size_t size = (size_t)s->job->size;
	bool root = session_is_root(s);
	struct result res;

	set_groups(m, at, n, turned);
	if (spec->loops == LOOPS_BY_PILOT)
		spec->loops = measure_pilot(s, spec);	/* one pilot run serves all pairs */
	if (session_is_over(s))
		return false;
	measure(s, spec, &res);
	if (root) {
		s->sink->errors += res.errors;
		m->work = realloc(m->work, (res.times.n + 1) * sizeof(*m->work));
		if (!m->work)
			session_abort(s, error_report("no memory for samples"));
	}
	/* In the last repetition, ranks that the job has lost have an infinite time. */
	for (size_t p = 0; p < 2 * n && root && res.apart.n >= size; p++) {
		uint32_t host = p % 2 ? at[p / 2].j : at[p / 2].i;

		if (!isinf(res.apart.s[res.apart.n - size + (size_t)host_rank(m, host)]))
			continue;
		m->failed[host] = SILENT_PAIRS;
		m->study.gone[host] = true;
	}
	for (size_t k = 0; k < n && root && !session_is_over(s); k++) {
		float y = pair_value(m, &res, q, m->pairs.order + 2 * k);

		if (turned || q != BANDWIDTH)
			at[k].ji = y;
		if (!turned || q != BANDWIDTH)
			at[k].ij = y;
	}
	result_free(&res);
	return !session_is_over(s);
}

bool map_measure_pairs(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first)
{
	return measure_direction(m, q, at, n, q == BANDWIDTH && back_first) &&
	       (q != BANDWIDTH || measure_direction(m, q, at, n, !back_first));
}

bool map_measure_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first)
{
	for (size_t k = 0, most = m->at_once[q]; k < n; k += most) {
		/* in the next part of a round each rank has another peer, which is not lost */
		m->s->part.lost &= most >= n;
		if (!map_measure_pairs(m, q, at + k, n - k < most ? n - k : most, back_first))
			return false;
	}
	return true;
}

/* ---- hosts that stop answering ---- */

static bool gave_no_answer(const struct encounter *at)
{
	return isnan(at->ij) && isnan(at->ji);
}

void agree_hosts_out(struct mapping *m, const struct encounter *at, size_t n)
{
	uint32_t *failed = m->failed;
	size_t nlost = 0;

	if (!(m->s->ep->caps & CAP_LOSS) || session_is_over(m->s))
		return;
	/*
	 * Rank 0: a host is out if the job has lost it, or after SILENT_PAIRS consecutive pairs
	 * without an answer. A pair with a host that is out shows nothing about the other host. A
	 * round is ignored if more than one and more than half of its pairs gave no answer.
	 */
	for (size_t k = 0; k < n && session_is_root(m->s); k++)
		nlost += gave_no_answer(&at[k]);
	for (size_t k = 0; k < n && session_is_root(m->s); k++) {
		uint32_t i = at[k].i, j = at[k].j;
		bool out = failed[i] >= SILENT_PAIRS || failed[j] >= SILENT_PAIRS;
		uint32_t counts = nlost < 2 || 2 * nlost <= n;

		if (!out) {
			failed[i] = gave_no_answer(&at[k]) ? failed[i] + counts : 0;
			failed[j] = gave_no_answer(&at[k]) ? failed[j] + counts : 0;
		}
		m->out[i] |= failed[i] >= SILENT_PAIRS;
		m->out[j] |= failed[j] >= SILENT_PAIRS;
	}
	broadcast_long(m->s, m->out, m->n * sizeof(*m->out));
	for (uint32_t i = 0; i < m->n; i++)
		m->any_out |= m->out[i];
	pairs_make_room(m);
}
