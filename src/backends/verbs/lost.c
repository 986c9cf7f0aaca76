/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goes on without lost peers, where the run outlives them (CAP_LOSS). A rank that loses another
 * buries it: it sets both queue pairs to the error state and drops their later completions. The
 * rank does not connect to it again in this run, since the two would have to agree on which of
 * their messages still count.
 *
 * A round is lost with any rank that it needs. Its other ranks lose the round too, so this rank
 * buries them as well. Ranks that the round does not need stay as they are.
 */

#include "backends/verbs/lost.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/verbs.h"

#define SETTLE_S 0.02		/* without a completion: no dead queue pair will yield another */
#define SETTLE_MOST_S 2.0

static void bury(struct verbs_peer *p)
{
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_ERR };

	p->gone = true;
	if (p->data)
		ibv_modify_qp(p->data, &a, IBV_QP_STATE);
	if (p->msg)
		ibv_modify_qp(p->msg, &a, IBV_QP_STATE);
	p->recv_left = 0;
	p->arrivals = (struct arrivals){ 0, 0 };
}

int verbs_lose(struct verbs *v, struct verbs_peer *p, const char *why)
{
	int me = v->ep.job->rank, peer = verbs_rank_of(v, p);

	if (!p->gone) {
		error_note("rank %d on host '%s' lost rank %d on host '%s': %s", me,
			   v->cards[me].host, peer, v->cards[peer].host, why);
		bury(p);
	}
	v->peer_lost |= p->in_round;
	return p->in_round ? -1 : 0;
}

int verbs_begin_round(struct verbs *v, const struct round *r)
{
	int err = ST_OK;

	v->idle_since = 0;
	for (int i = 0; i < v->ep.job->size; i++)
		v->peers[i].in_round = false;
	for (uint32_t i = 0; i < r->nxfers; i++) {
		struct verbs_peer *p = &v->peers[r->xfers[i].peer];

		p->in_round = true;
		err = p->gone ? ST_LOST : err;
	}
	return err;
}

int verbs_forget_round(struct verbs *v)
{
	double begun, last, now;

	for (int i = 0; i < v->ep.job->size; i++) {
		struct verbs_peer *p = &v->peers[i];

		if (p->in_round && !p->gone)
			bury(p);
		p->in_round = false;
	}
	v->peer_lost = v->failed = false;
	v->nchain = 0;
	v->chain_to = NULL;
	v->awaited = NULL;
	/* drops late completions of dead queue pairs: they must not count for another round */
	begun = last = now = clock_wall();
	while (now - last < SETTLE_S && now - begun < SETTLE_MOST_S) {
		bool rounds, messages;

		if (verbs_take_all(v, &rounds) || verbs_progress(v, &messages))
			return ST_FAILED;
		now = clock_wall();
		last = rounds || messages ? now : last;
		sched_yield();
	}
	v->late_done = 0;
	v->idle = 0;
	v->idle_since = 0;
	return ST_LOST;
}

struct verbs_peer *verbs_peer_of(const struct verbs *v, uint32_t qp_num)
{
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size; p++)
		if ((p->data && p->data->qp_num == qp_num) || (p->msg && p->msg->qp_num == qp_num))
			return p;
	return NULL;
}
