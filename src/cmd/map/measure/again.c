/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/again.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/map/measure/play.h"
#include "cmd/map/measure/visit.h"
#include "measure/sink/sink.h"

/* The round that all ranks are to measure, which rank 0 sends before its meetings. */
struct asked_round {
	uint32_t goes_on, back_first, quantity, n;
};

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
			if (!m->out[wanted.at[k].i] && !m->out[wanted.at[k].j])
				m->at[round->n++] = wanted.at[k];
		}
		memcpy(m->out_before, m->out, m->n * sizeof(*m->out));
		s->sink->count.planned++;
	}
	session_bcast(s, round, sizeof(*round));
	if (round->goes_on)
		bcast_long(s, m->at, round->n * sizeof(*m->at));
	return round->goes_on;
}

/* Rank 0: gives judging the values of a round; a run that is over is judged without them. */
static void answer_round(struct mapping *m, const struct asked_round *round)
{
	struct measurement o = { .visit = m->study.nvisits - 1, .round = STUDY_ROUNDS };
	struct meetings wanted;

	/* hosts that are out since this round meet no other host: they do not answer */
	for (o.sender = 0; o.sender < m->n; o.sender++) {
		if (!m->out[o.sender] || m->out_before[o.sender])
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
		bool all = visit_needs_all(m) || !round.n;
		size_t own = 0;

		m->s->part.lost = false;
		while (!all && own < round.n && m->at[own].i != m->own && m->at[own].j != m->own)
			own++;
		if (all)
			play_round(m, q, m->at, round.n, round.back_first);
		else
			play_both(m, q, m->at + own, own < round.n, round.back_first);
		play_agree(m, m->at, all ? round.n : 0);
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
