/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How ranks connect their queue pairs. Each rank has a queue pair of type UD, and all others know
 * its number from the start. Over it a rank sends hellos to a peer until the peer answers. A hello
 * names the queue pairs that the rank has made for the peer. The peer makes its own queue pairs
 * ready and answers with a hello. The last message goes over the new reliable queue pair, so that
 * both ranks can stop listening.
 */
#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/open.h"
#include "backends/verbs/verbs.h"
#include "net/handshake.h"

#define HELLOS 128		/* kept while nobody polls */
#define AGAIN_S 0.02
#define SETTLE_S 0.02		/* without a completion: no dead queue pair will yield another */
#define SETTLE_MOST_S 2.0
#define PSN_MASK 0xffffffU	/* of the number of a packet */

struct verbs_hello {
	uint64_t run;
	uint32_t from, data_qpn, msg_qpn;
	uint32_t data_psn, msg_psn;
	uint32_t ready;		/* the sender knows the other's queue pairs and is ready */
};

#define ROOM (VERBS_GRH + sizeof(struct verbs_hello))

/* ---- a queue pair's states ---- */

unsigned verbs_access(const struct verbs *v)
{
	return v->options->op == VERBS_SEND ? 0
	       : v->options->op == VERBS_READ ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
}

/* Changes a queue pair. ST_OK, or ST_FAILED after reporting `what`. */
static int change(struct verbs *v, struct ibv_qp *qp, const char *what, struct ibv_qp_attr a,
		  int mask)
{
	return verbs_judge(v, what, ibv_modify_qp(qp, &a, mask));
}

int verbs_grant(struct verbs *v, struct ibv_qp *qp, unsigned access)
{
	return change(v, qp, "granting access by a queue pair",
		      (struct ibv_qp_attr){ .qp_access_flags = access }, IBV_QP_ACCESS_FLAGS);
}

/* `with`: the attribute set besides: IBV_QP_ACCESS_FLAGS, or for datagrams IBV_QP_QKEY. */
static int to_init(struct verbs *v, struct ibv_qp *qp, int with, unsigned access)
{
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = v->port_num,
				 .qkey = v->qkey, .qp_access_flags = access };

	return change(v, qp, "initialising a queue pair", a,
		      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | with);
}

static struct ibv_ah_attr way_to(const struct verbs *v, int peer)
{
	const struct verbs_card *c = &v->cards[peer];
	struct ibv_ah_attr a = { .dlid = c->lid, .port_num = v->port_num };

	a.is_global = v->port.link_layer == IBV_LINK_LAYER_ETHERNET || v->options->gid != OPT_AUTO;
	if (a.is_global)
		a.grh = (struct ibv_global_route){ .dgid = c->gid, .hop_limit = 64,
						   .sgid_index = (uint8_t)v->gid_index };
	return a;
}

/* Makes a queue pair that is new or was reset ready for datagrams. */
static int datagram_ready(struct verbs *v, struct ibv_qp *qp)
{
	const char *what = "making a queue pair ready";
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR }, rts = { .qp_state = IBV_QPS_RTS };

	if (to_init(v, qp, IBV_QP_QKEY, 0) || change(v, qp, what, rtr, IBV_QP_STATE))
		return ST_FAILED;
	return change(v, qp, what, rts, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

int verbs_begin_anew(struct verbs *v, struct ibv_qp *qp)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	if (change(v, qp, "resetting a queue pair", reset, IBV_QP_STATE))
		return ST_FAILED;
	return datagram_ready(v, qp);
}

/* Connects the RC or UC queue pair for rounds (`data`), or that for messages, to that of a peer. */
static int to_ready(struct verbs *v, struct verbs_peer *p, const struct verbs_hello *h, bool data)
{
	int peer = verbs_rank_of(v, p);
	const struct verbs_card *c = &v->cards[peer];
	struct ibv_qp *qp = data ? p->data : p->msg;
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTR,
				 .path_mtu = v->mtu < c->mtu ? v->mtu : (enum ibv_mtu)c->mtu,
				 .dest_qp_num = data ? h->data_qpn : h->msg_qpn,
				 .rq_psn = data ? h->data_psn : h->msg_psn,
				 .sq_psn = data ? p->data_psn : p->msg_psn,
				 .ah_attr = way_to(v, peer),
				 .max_dest_rd_atomic = v->cards[v->ep.job->rank].reads,
				 .min_rnr_timer = 5, .timeout = 14, .retry_cnt = 7,
				 .rnr_retry = 7 };
	int rtr = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	int rts = IBV_QP_STATE | IBV_QP_SQ_PSN, err;

	if (!data || v->options->transport == VERBS_RC) {
		rtr |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
		rts |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
		       IBV_QP_MAX_QP_RD_ATOMIC;
	}
	err = ibv_modify_qp(qp, &a, rtr);
	if (err)
		return verbs_post_failed(v, p, "connecting a queue pair (can it reach the other "
					 "device?)", err);
	a.qp_state = IBV_QPS_RTS;
	a.max_rd_atomic = (uint8_t)(v->reads < c->reads ? v->reads : c->reads);
	err = ibv_modify_qp(qp, &a, rts);
	return err ? verbs_post_failed(v, p, "making a queue pair ready", err) : ST_OK;
}

/* ---- making them ---- */

/* Makes both queue pairs to a peer, unless they are there. */
static int make_pair(struct verbs *v, struct verbs_peer *p)
{
	struct ibv_qp_init_attr msg = { .send_cq = v->msg_cq, .recv_cq = v->msg_cq, .srq = v->srq,
					.qp_type = IBV_QPT_RC,
					.cap = { VERBS_MSG_DEPTH, v->srq ? 0 : 32, 1, 1, 0 } };
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	struct ibv_qp_init_attr data = { .send_cq = v->cq, .recv_cq = v->cq,
					 .qp_type = types[v->options->transport],
					 .cap = { v->tx_depth, v->rx_depth, 2, 2, v->inlined } };
	uint32_t *inlined = &data.cap.max_inline_data;
	/* the receiver of a long message reads it */
	unsigned access = v->may_lose ? 0 : IBV_ACCESS_REMOTE_READ;
	struct secret s;

	if (p->msg)
		return ST_OK;
	/* inlines the length asked for, or less if the device grants less */
	while (!(p->data = ibv_create_qp(v->pd, &data)) && *inlined)
		*inlined = *inlined > 16 ? *inlined / 2 : 0;
	if (p->data && *inlined < v->inlined)
		v->inlined = *inlined;
	p->msg = p->data ? ibv_create_qp(v->pd, &msg) : NULL;
	if (!p->msg)
		return verbs_failed(v, "making a queue pair (lower '--tx-depth' and '--rx-depth'?)",
				    errno);
	if (secret_make(&s))
		return ST_FAILED;
	/* the device drops packets of strangers, which do not know these numbers */
	memcpy(&p->data_psn, s.key, sizeof(p->data_psn));
	memcpy(&p->msg_psn, s.key + sizeof(p->data_psn), sizeof(p->msg_psn));
	p->data_psn &= PSN_MASK;
	p->msg_psn &= PSN_MASK;
	if ((!v->datagram && to_init(v, p->data, IBV_QP_ACCESS_FLAGS, verbs_access(v))) ||
	    to_init(v, p->msg, IBV_QP_ACCESS_FLAGS, access))
		return ST_FAILED;
	return verbs_feed(v, p);
}

/* Connects the queue pairs to a peer with the peer's own, which its hello names. */
static int join_pair(struct verbs *v, struct verbs_peer *p, const struct verbs_hello *h)
{
	struct ibv_ah_attr way = way_to(v, verbs_rank_of(v, p));

	p->data_qpn = h->data_qpn;
	if (v->datagram) {
		p->ah = ibv_create_ah(v->pd, &way);
		if (!p->ah)
			return verbs_failed(v, "making an address", errno);
	}
	if (v->datagram ? datagram_ready(v, p->data) : to_ready(v, p, h, true))
		return ST_FAILED;
	v->in_order = !v->datagram &&
		      ibv_query_qp_data_in_order(p->data, IBV_WR_RDMA_WRITE, 0) > 0;
	p->heard = !to_ready(v, p, h, false);
	return p->heard ? ST_OK : ST_FAILED;
}

/* ---- meeting ---- */

/* Posts the receives of the hellos from number `first` to end - 1. */
static int post_hello_rooms(struct verbs *v, size_t first, size_t end)
{
	int err = ST_OK;

	for (size_t i = first; i < end && !err; i++)
		err = verbs_post_room(v, v->ud, i, v->ud_mem + i * ROOM, ROOM, v->ud_mr->lkey);
	return err;
}

int verbs_meet(struct verbs *v)
{
	const size_t len = (HELLOS + 1) * ROOM;	/* the last place is for sends */
	struct ibv_qp_init_attr a = { .qp_type = IBV_QPT_UD, .cap = { 8, HELLOS, 1, 1, 0 } };

	a.recv_cq = v->ud_cq = ibv_create_cq(v->ctx, HELLOS + 16, NULL, NULL, 0);
	a.send_cq = v->ud_send_cq = ibv_create_cq(v->ctx, 16, NULL, NULL, 0);
	v->ud_mem = calloc(1, len);
	v->ud_mr = v->ud_mem ? ibv_reg_mr(v->pd, v->ud_mem, len, IBV_ACCESS_LOCAL_WRITE) : NULL;
	v->ud = v->ud_cq && v->ud_send_cq && v->ud_mr ? ibv_create_qp(v->pd, &a) : NULL;
	if (!v->ud)
		return verbs_failed(v, "making a queue pair", errno);
	return datagram_ready(v, v->ud) ? ST_FAILED : post_hello_rooms(v, 0, HELLOS);
}

/* CAP_LOSS: a datagram breaks the queue pair if it cannot leave, as when the port is down. */
static int meet_anew(struct verbs *v)
{
	struct ibv_wc wc;

	if (verbs_begin_anew(v, v->ud))
		return ST_FAILED;
	while (ibv_poll_cq(v->ud_cq, 1, &wc) > 0)
		;
	return post_hello_rooms(v, 0, HELLOS);
}

static struct verbs_hello hello_of(const struct verbs *v, const struct verbs_peer *p)
{
	return (struct verbs_hello){ v->run, (uint32_t)v->ep.job->rank, p->data->qp_num,
				     p->msg->qp_num, p->data_psn, p->msg_psn, p->heard };
}

/*
 * Sends one datagram and waits until it has left. CAP_LOSS: returns ST_OK also if it cannot leave,
 * because a later one may.
 */
static int say_hello(struct verbs *v, struct verbs_peer *p)
{
	int peer = verbs_rank_of(v, p), err, n = 0;
	struct ibv_ah_attr way = way_to(v, peer);
	struct verbs_hello *h = (struct verbs_hello *)(v->ud_mem + HELLOS * ROOM);
	struct ibv_sge sge = { (uintptr_t)h, sizeof(*h), v->ud_mr->lkey };
	struct ibv_send_wr wr = { .wr_id = HELLOS, .sg_list = &sge, .num_sge = 1,
				  .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED }, *bad;
	struct ibv_ah *ah = ibv_create_ah(v->pd, &way);
	struct ibv_wc wc;

	if (!ah && verbs_outlives(v))
		return ST_OK;
	if (!ah)
		return verbs_failed(v, "making an address (can it reach the other device?)", errno);
	*h = hello_of(v, p);
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = v->cards[peer].ud_qpn;
	wr.wr.ud.remote_qkey = v->qkey;
	err = ibv_post_send(v->ud, &wr, &bad);
	for (double start = clock_wall(); !err && !n && clock_wall() - start < 1;)
		n = ibv_poll_cq(v->ud_send_cq, 1, &wc);
	ibv_destroy_ah(ah);
	if (verbs_outlives(v) && (err || (n && wc.status != IBV_WC_SUCCESS)))
		return meet_anew(v);
	return err ? verbs_failed(v, "sending a datagram", err) : ST_OK;
}

static int take_hello(struct verbs *v, const struct verbs_hello *h)
{
	struct verbs_peer *p = &v->peers[h->from];
	int err;

	if (p->gone)
		return ST_OK;
	err = make_pair(v, p);
	if (!err && !p->heard)
		err = join_pair(v, p, h);
	if (!err && !h->ready) {
		err = say_hello(v, p);
	} else if (!err && !p->connected) {
		p->connected = true;
		err = verbs_tell(v, p, MSG_READY);
	}
	return p->gone && !p->in_round ? ST_OK : err;	/* the round does not need it */
}

int verbs_answer(struct verbs *v)
{
	const struct expected expected = { v->run, 0, (uint64_t)v->ep.job->size, ROOM, ROOM };
	struct claim claim;
	struct ibv_wc wc;
	struct verbs_hello h;
	int err = ST_OK;

	while (!err && ibv_poll_cq(v->ud_cq, 1, &wc) > 0) {
		if (wc.status != IBV_WC_SUCCESS && verbs_outlives(v))
			return meet_anew(v);
		if (wc.status != IBV_WC_SUCCESS)
			return error_report("device '%s': meeting other ranks failed: %s",
					    ibv_get_device_name(v->ctx->device),
					    ibv_wc_status_str(wc.status));
		memcpy(&h, v->ud_mem + wc.wr_id * ROOM + VERBS_GRH, sizeof(h));
		claim = (struct claim){ h.run, h.from, wc.byte_len,
					h.from != (uint32_t)v->ep.job->rank };
		err = post_hello_rooms(v, wc.wr_id, wc.wr_id + 1);
		if (!err && job_admits(v->ep.job, &v->strangers, &claim, &expected))
			err = take_hello(v, &h);
	}
	return err;
}

int verbs_connect(struct verbs *v, int peer)
{
	struct verbs_peer *p = &v->peers[peer];
	const struct verbs_card *mine = &v->cards[v->ep.job->rank], *its = &v->cards[peer];
	double most = verbs_outlives(v) ? ENDPOINT_SILENCE_S : VERBS_CONNECT_S;
	double start = clock_wall(), said = 0;
	struct verbs_hello own;
	bool any;

	if (p->connected)
		return ST_OK;
	if (make_pair(v, p))
		return ST_FAILED;
	if (mine == its) {
		own = hello_of(v, p);
		p->connected = !join_pair(v, p, &own);
		return p->connected ? ST_OK : ST_FAILED;
	}
	while (!p->connected) {
		double now = clock_wall();

		if (now - said >= AGAIN_S && say_hello(v, p))
			return ST_FAILED;
		said = now - said >= AGAIN_S ? now : said;
		if (now - start > most && verbs_outlives(v))
			return -verbs_lose(v, p, "it does not answer");
		if (now - start > most)
			return error_report("rank %d on host '%s', device '%s', gets no answer "
					    "from rank %d on host '%s', device '%s', within "
					    "%.0f s: choose devices and GIDs that reach each other "
					    "by '--device' and '--gid'", v->ep.job->rank,
					    mine->host, mine->device, peer, its->host, its->device,
					    most);
		if (verbs_answer(v) || verbs_progress(v, &any))
			return ST_FAILED;
		sched_yield();
	}
	return ST_OK;
}

/* ---- lost peers ---- */

/*
 * Goes on without lost peers, where the run outlives them (CAP_LOSS). A rank that loses another
 * buries it: it sets both queue pairs to the error state and drops their later completions. The
 * rank does not connect to it again in this run, since the two would have to agree on which of
 * their messages still count.
 *
 * A round is lost with any rank that it needs. Its other ranks lose the round too, so this rank
 * buries them as well. Ranks that the round does not need stay as they are.
 */

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
