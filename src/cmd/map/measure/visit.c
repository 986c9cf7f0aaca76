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
 * Rank 0: keeps what a pair has measured. All NaN: it did not answer; unless the run ended before
 * it could.
 */
static void keep_values(struct mapping *m, uint32_t visit, uint32_t round, uint32_t sender,
			uint32_t receiver, const float y[NQUANTITIES])
{
	struct measurement o = { .visit = visit, .sender = sender, .receiver = receiver,
				 .round = m->mode == MODE_SERIAL ? STUDY_NO_ROUND : round };
	bool any = false;

	for (int q = 0; q < NQUANTITIES; q++) {
		/* random pairs may meet twice: the first time counts, as its row is written */
		if (m->mode == MODE_QUICK &&
		    !isnan(study_value(&m->study, (enum quantity)q, visit, sender, receiver)))
			return;
		o.value[q] = study_unit((enum quantity)q, y[q]);
		any |= !isnan(y[q]);
	}
	if (!any && session_is_over(m->s))
		return;
	if (study_put(&m->study, &o) == PUT_NO_MEMORY)
		session_abort(m->s, error_report("no memory for all pairs of %u hosts", m->n));
	journal_add(&m->journal, &m->study, &o);
}

int visit_put_row(void *session, const struct row *row)
{
	sink_write(session, row);
	return ST_OK;
}

/*
 * Rank 0: in the last visit, writes the rows of pairs that have answered in it: they are complete.
 */
static void write_rows(struct mapping *m, uint32_t visit, const struct encounter *at, size_t n)
{
	struct session *s = m->s;
	struct pair_rows to = { &s->sink->record, visit_put_row, s };

	if (visit + 1 < m->visits)
		return;
	study_sort_failures(&m->study);
	for (size_t k = 0; k < 2 * n && !session_is_over(s); k++) {
		const struct encounter *e = &at[k / 2];
		uint32_t sender = k % 2 ? e->j : e->i, receiver = k % 2 ? e->i : e->j;

		if (isnan(e->ij) || isnan(e->ji) || study_was_written(&m->study, sender, receiver))
			continue;
		map_row(&m->study, &s->settings->output, &to, sender, receiver);
		study_mark_written(&m->study, sender, receiver);
	}
}

static bool visit_round(struct mapping *m, uint32_t visit, const struct tournament *t, uint32_t k,
			struct rng *rng)
{
	static const float none[NQUANTITIES] = { NAN, NAN, NAN };
	struct encounter *time = m->at, *rate = time + m->most, *both = rate + m->most;
	bool back_first = rng_next(rng) >> 63, goes_on, root = session_is_root(m->s);
	bool all = play_needs_all(m);
	bool (*play)(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		     bool back_first) = all ? play_round : play_both;
	uint32_t end = all || m->own == m->n ? m->n : m->own + 1;
	size_t n = 0;

	for (uint32_t i = all ? 0 : m->own; i < end; i++) {
		uint32_t j = tournament_meets(t, k, i);

		if (j == i || (all && j < i))
			continue;
		if (!play_is_out(m, i) && !play_is_out(m, j)) {
			time[n++] = (struct encounter){ i < j ? i : j, i < j ? j : i, NAN, NAN };
		} else if (root) {
			keep_values(m, visit, k, i, j, none);
			keep_values(m, visit, k, j, i, none);
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

		keep_values(m, visit, k, rate[p].i, rate[p].j, there);
		keep_values(m, visit, k, rate[p].j, rate[p].i, back);
	}
	if (root) {
		journal_commit(&m->journal);
		write_rows(m, visit, rate, n);
		m->s->sink->count.done += goes_on;
	}
	play_agree(m, rate, n);
	return goes_on;
}

/* By the seed, all ranks have the same tournament. */
bool visit_all(struct mapping *m, uint32_t visit, struct rng *rng)
{
	uint32_t quick = m->mode == MODE_QUICK ? (uint32_t)m->o->rounds : 0, number;
	struct tournament t;
	bool goes_on = true;

	if (tournament_make(&t, m->n, quick, rng))
		session_abort(m->s, ST_FAILED);
	if (session_is_root(m->s))
		study_visit(&m->study, visit + 1, &number);
	for (uint32_t k = 0; k < t.nrounds && goes_on; k++) {
		tournament_draw(&t, rng);
		goes_on = visit_round(m, visit, &t, k, rng);
	}
	tournament_free(&t);
	m->done += goes_on;
	return goes_on;
}

/* ---- measuring again ---- */

/* The round that all ranks are to measure, which rank 0 sends before its meetings. */
struct asked_round {
	uint32_t goes_on, back_first, quantity, n;
	uint32_t plays;			/* meetings in m->at, of this rank alone or all */
};

/* Brings the meetings of a round from rank 0 to all ranks; to some only their own, as at[0]. */
static void send_meetings(struct mapping *m, struct asked_round *round)
{
	const size_t part = JOB_GATHER_MAX / sizeof(*m->at);
	struct encounter *some;

	round->plays = round->n;
	if (play_needs_all(m)) {
		bcast_long(m->s, m->at, round->n * sizeof(*m->at));
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
 * Brings the next round that judging asks for to all ranks, in m->at, without the hosts that are
 * out. False: judging is finished, or the run is over.
 */
static bool agree_round(struct mapping *m, struct asked_round *round)
{
	struct session *s = m->s;
	struct meetings wanted;

	*round = (struct asked_round){ .n = 0 };
	if (session_is_over(s))
		return false;
	if (session_is_root(s) && judge_wants(&m->judging, &wanted)) {
		round->goes_on = true;
		round->back_first = s->sink->count.done & 1;
		round->quantity = wanted.quantity;
		for (size_t k = 0; k < wanted.n; k++) {
			wanted.at[k].ij = wanted.at[k].ji = NAN;
			if (!play_is_out(m, wanted.at[k].i) && !play_is_out(m, wanted.at[k].j))
				m->at[round->n++] = wanted.at[k];
		}
		if (m->out)
			memcpy(m->out_before, m->out, m->n * sizeof(*m->out));
		s->sink->count.planned++;
	}
	session_bcast(s, round, sizeof(*round));
	if (round->goes_on)
		send_meetings(m, round);
	return round->goes_on;
}

/* Rank 0: gives judging the values of a round; a run that is over is judged without them. */
static void answer_round(struct mapping *m, const struct asked_round *round)
{
	struct measurement o = { .visit = m->study.nvisits - 1, .round = STUDY_ROUNDS };
	struct meetings wanted;

	/* hosts that are out since this round meet no other host: they do not answer */
	for (o.sender = 0; o.sender < m->n; o.sender++) {
		if (!play_is_out(m, o.sender) || m->out_before[o.sender])
			continue;
		for (o.receiver = 0; o.receiver < m->n; o.receiver++)
			if (o.sender != o.receiver && !study_keep_failure(&m->study, &o))
				session_abort(m->s, error_report("no memory for verdicts"));
	}
	study_sort_failures(&m->study);
	if (session_is_over(m->s))
		return;
	m->s->sink->count.done++;
	judge_wants(&m->judging, &wanted);
	for (size_t k = 0, to = 0; k < round->n; k++, to++) {
		while (wanted.at[to].i != m->at[k].i || wanted.at[to].j != m->at[k].j)
			to++;
		wanted.at[to] = m->at[k];
	}
	judge_take(&m->judging);
}

void again_all(struct mapping *m)
{
	struct asked_round round;
	int err;

	m->all.again = true;
	if (session_is_root(m->s))
		judge_open(&m->judging, &m->all);
	while (agree_round(m, &round)) {
		enum quantity q = (enum quantity)round.quantity;

		m->s->part.lost = false;
		if (round.n && play_needs_all(m))
			play_round(m, q, m->at, round.n, round.back_first);
		else if (round.n)
			play_both(m, q, m->at, round.plays, round.back_first);
		play_agree(m, m->at, round.n);
		if (session_is_root(m->s))
			answer_round(m, &round);
	}
	if (!session_is_root(m->s))
		return;
	err = judge_close(&m->judging);
	if (err && !session_is_over(m->s))
		session_abort(m->s, err);
	m->judged = !err;
}
