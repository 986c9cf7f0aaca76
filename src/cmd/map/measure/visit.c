/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/visit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/map/measure/play.h"
#include "cmd/map/rows.h"
#include "measure/sink/sink.h"

/*
 * Rank 0: stores the values y of a pair. All are NaN if the pair did not answer. NaNs are not
 * stored if the run has ended, because the end of the run may have caused them.
 */
static void store_values(struct mapping *m, uint32_t visit, uint32_t round, uint32_t sender,
			uint32_t receiver, const float y[NQUANTITIES])
{
	struct measurement o = { .visit = visit, .sender = sender, .receiver = receiver,
				 .round = m->mode == MODE_SERIAL ? STUDY_NO_ROUND : round };
	bool any = false;

	for (int q = 0; q < NQUANTITIES; q++) {
		/*
		 * A random pair may be drawn twice. Only its first value counts, because its row
		 * may already be written.
		 */
		if (m->mode == MODE_QUICK &&
		    !isnan(study_value(&m->study, (enum quantity)q, visit, sender, receiver)))
			return;
		o.value[q] = study_unit((enum quantity)q, y[q]);
		any |= !isnan(y[q]);
	}
	if (!any && session_is_over(m->s))
		return;
	if (study_add(&m->study, &o) == PUT_NO_MEMORY)
		session_abort(m->s, error_report("no memory for all pairs of %u hosts", m->n));
	journal_add(&m->journal, &m->study, &o);
}

int session_put_row(void *session, const struct row *row)
{
	sink_write_row(session, row);
	return ST_OK;
}

/*
 * Rank 0, in the final visit: writes the rows of pairs that answered. These rows are then complete.
 */
static void write_rows(struct mapping *m, uint32_t visit, const struct encounter *at, size_t n)
{
	struct session *s = m->s;
	struct pair_rows to = { &s->sink->record, session_put_row, s };

	if (visit + 1 < m->visits)
		return;
	study_sort_failures(&m->study);
	for (size_t k = 0; k < 2 * n && !session_is_over(s); k++) {
		const struct encounter *e = &at[k / 2];
		uint32_t sender = k % 2 ? e->j : e->i, receiver = k % 2 ? e->i : e->j;

		if (isnan(e->ij) || isnan(e->ji) || study_was_written(&m->study, sender, receiver))
			continue;
		map_write_row(&m->study, &s->settings->output, &to, sender, receiver);
		study_mark_written(&m->study, sender, receiver);
	}
}

static bool measure_visit_round(struct mapping *m, uint32_t visit, const struct tournament *t,
				uint32_t k, struct rng *rng)
{
	static const float none[NQUANTITIES] = { NAN, NAN, NAN };
	struct encounter *time = m->at, *rate = time + m->most, *both = rate + m->most;
	bool back_first = rng_next(rng) >> 63, goes_on, root = session_is_root(m->s);
	bool all = rank_needs_all_pairs(m);
	bool (*play)(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		     bool back_first) = all ? map_measure_round : map_measure_pairs;
	uint32_t end = all || m->own == m->n ? m->n : m->own + 1;
	size_t n = 0;

	for (uint32_t i = all ? 0 : m->own; i < end; i++) {
		uint32_t j = tournament_meets(t, k, i);

		if (j == i || (all && j < i))
			continue;
		if (!host_is_out(m, i) && !host_is_out(m, j)) {
			time[n++] = (struct encounter){ i < j ? i : j, i < j ? j : i, NAN, NAN };
		} else if (root) {
			store_values(m, visit, k, i, j, none);
			store_values(m, visit, k, j, i, none);
		}
	}
	memcpy(rate, time, n * sizeof(*rate));
	memcpy(both, time, n * sizeof(*both));
	m->s->part.lost = false;
	goes_on = play(m, LATENCY, time, n, false) && play(m, BANDWIDTH, rate, n, back_first) &&
		  (!m->o->bidirectional || play(m, BIDIRECTIONAL, both, n, false));
	for (size_t p = 0; p < n && root; p++) {
		const float there[] = { [BANDWIDTH] = rate[p].ij, [LATENCY] = time[p].ij,
					[BIDIRECTIONAL] = both[p].ij };
		const float back[] = { [BANDWIDTH] = rate[p].ji, [LATENCY] = time[p].ij,
				       [BIDIRECTIONAL] = both[p].ij };

		store_values(m, visit, k, rate[p].i, rate[p].j, there);
		store_values(m, visit, k, rate[p].j, rate[p].i, back);
	}
	if (root) {
		journal_commit(&m->journal);
		write_rows(m, visit, rate, n);
		m->s->sink->count.done += goes_on;
	}
	agree_hosts_out(m, rate, n);
	return goes_on;
}

/* All ranks draw the same tournament from the same seed. */
bool map_measure_visit(struct mapping *m, uint32_t visit, struct rng *rng)
{
	uint32_t quick = m->mode == MODE_QUICK ? (uint32_t)m->o->rounds : 0, number;
	struct tournament t;
	bool goes_on = true;

	if (tournament_make(&t, m->n, quick, rng))
		session_abort(m->s, ST_FAILED);
	if (session_is_root(m->s))
		study_add_visit(&m->study, visit + 1, &number);
	for (uint32_t k = 0; k < t.nrounds && goes_on; k++) {
		tournament_draw(&t, rng);
		goes_on = measure_visit_round(m, visit, &t, k, rng);
	}
	tournament_free(&t);
	m->done += goes_on;
	return goes_on;
}

/* ---- measuring again ---- */

/* The header of a round that judging requests. Rank 0 sends it before the pairs of the round. */
struct requested_round {
	uint32_t goes_on, back_first, quantity, n;
	/* number of pairs in m->at: all pairs, or only the pair of this rank */
	uint32_t plays;
};

/*
 * Sends the pairs of a round from rank 0 to all ranks. Ranks that need only their own pair keep it
 * in m->at[0]. Collective.
 */
static void broadcast_pairs(struct mapping *m, struct requested_round *round)
{
	const size_t part = JOB_GATHER_MAX / sizeof(*m->at);
	struct encounter *some;

	round->plays = round->n;
	if (rank_needs_all_pairs(m)) {
		broadcast_long(m->s, m->at, round->n * sizeof(*m->at));
		return;
	}
	round->plays = 0;
	some = calloc(part, sizeof(*some));
	if (!some)
		session_abort(m->s, error_report("no memory for a round"));
	for (size_t done = 0; done < round->n; done += part) {
		size_t n = round->n - done < part ? round->n - done : part;

		session_bcast(m->s, some, n * sizeof(*some));
		for (size_t k = 0; k < n && !round->plays; k++) {
			m->at[0] = some[k];
			round->plays = some[k].i == m->own || some[k].j == m->own;
		}
	}
	free(some);
}

/*
 * Gives all ranks, in m->at, the next round that judging requests, without hosts that are out.
 * Returns false if judging is finished or the run is over. Collective.
 */
static bool receive_request(struct mapping *m, struct requested_round *round)
{
	struct session *s = m->s;
	struct meetings wanted;

	*round = (struct requested_round){ .n = 0 };
	if (session_is_over(s))
		return false;
	if (session_is_root(s) && judge_next_round(&m->judging, &wanted)) {
		round->goes_on = true;
		round->back_first = s->sink->count.done & 1;
		round->quantity = wanted.quantity;
		for (size_t k = 0; k < wanted.n; k++) {
			wanted.at[k].ij = wanted.at[k].ji = NAN;
			if (!host_is_out(m, wanted.at[k].i) && !host_is_out(m, wanted.at[k].j))
				m->at[round->n++] = wanted.at[k];
		}
		if (m->out)
			memcpy(m->out_before, m->out, m->n * sizeof(*m->out));
		s->sink->count.planned++;
	}
	session_bcast(s, round, sizeof(*round));
	if (round->goes_on)
		broadcast_pairs(m, round);
	return round->goes_on;
}

/* Rank 0: passes the values of a requested round to judging, unless the run is over. */
static void pass_values_to_judging(struct mapping *m, const struct requested_round *round)
{
	struct measurement o = { .visit = m->study.nvisits - 1, .round = STUDY_ROUNDS };
	struct meetings wanted;

	/*
	 * Hosts that stopped answering in this round are excluded from now on. Each of their pairs
	 * counts as unanswered.
	 */
	for (o.sender = 0; o.sender < m->n; o.sender++) {
		if (!host_is_out(m, o.sender) || m->out_before[o.sender])
			continue;
		for (o.receiver = 0; o.receiver < m->n; o.receiver++)
			if (o.sender != o.receiver && !study_keep_failure(&m->study, &o))
				session_abort(m->s, error_report("no memory for verdicts"));
	}
	study_sort_failures(&m->study);
	if (session_is_over(m->s))
		return;
	m->s->sink->count.done++;
	judge_next_round(&m->judging, &wanted);
	for (size_t k = 0, to = 0; k < round->n; k++, to++) {
		while (wanted.at[to].i != m->at[k].i || wanted.at[to].j != m->at[k].j)
			to++;
		wanted.at[to] = m->at[k];
	}
	judge_continue(&m->judging);
}

void measure_requested_rounds(struct mapping *m)
{
	struct requested_round round;
	int err;

	m->all.again = true;
	if (session_is_root(m->s))
		judge_open(&m->judging, &m->all);
	while (receive_request(m, &round)) {
		enum quantity q = (enum quantity)round.quantity;

		m->s->part.lost = false;
		if (round.n && rank_needs_all_pairs(m))
			map_measure_round(m, q, m->at, round.n, round.back_first);
		else if (round.n)
			map_measure_pairs(m, q, m->at, round.plays, round.back_first);
		agree_hosts_out(m, m->at, round.n);
		if (session_is_root(m->s))
			pass_values_to_judging(m, &round);
	}
	if (!session_is_root(m->s))
		return;
	err = judge_close(&m->judging);
	if (err && !session_is_over(m->s))
		session_abort(m->s, err);
	m->judged = !err;
}
