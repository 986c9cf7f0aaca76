/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects the queue pairs of ranks. Each rank has one UD queue pair, whose number all other ranks
 * know from the start. To connect, a rank sends hellos from this queue pair to that of the peer
 * until the peer answers. A hello names the queue pairs that the rank has created for the peer. The
 * peer makes its own queue pairs ready and answers with a hello. A final message goes over the new
 * RC queue pair. After this message both ranks know that the connection works, and stop listening
 * for hellos.
 */
#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/open.h"
#include "backends/verbs/verbs.h"
#include "net/handshake.h"

/* number of receive buffers for hellos that arrive while the rank does not poll */
#define HELLOS 128
#define AGAIN_S 0.02		/* s; time between two hellos to the same peer */
/* if no completion comes for this time, s, disabled queue pairs produce no more completions */
#define SETTLE_S 0.02
#define SETTLE_MOST_S 2.0	/* longest wait for this, s */
#define PSN_MASK 0xffffffU	/* bits of a packet number */

struct verbs_hello {
	uint64_t run;
	uint32_t from, data_qpn, msg_qpn;
	uint32_t data_psn, msg_psn;
	/*
	 * 1 if the hello's sender knows the receiver's queue pairs, and the sender's own queue
	 * pairs are ready
	 */
	uint32_t ready;
};

#define HELLO_BUFFER (VERBS_GRH + sizeof(struct verbs_hello))

/* ---- a queue pair's states ---- */

unsigned verbs_round_access(const struct verbs *v)
{
	return v->options->op == VERBS_SEND ? 0
	       : v->options->op == VERBS_READ ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
}

/*
 * Changes attributes of a queue pair. Returns ST_OK, or ST_FAILED after reporting that `what`
 * failed.
 */
static int modify_qp(struct verbs *v, struct ibv_qp *qp, const char *what, struct ibv_qp_attr a,
		     int mask)
{
	return verbs_check_call(v, what, ibv_modify_qp(qp, &a, mask));
}

int verbs_grant_access(struct verbs *v, struct ibv_qp *qp, unsigned access)
{
	return modify_qp(v, qp, "granting access by a queue pair",
			 (struct ibv_qp_attr){ .qp_access_flags = access }, IBV_QP_ACCESS_FLAGS);
}

/*
 * Initialises a queue pair. `with` selects one more attribute to set: IBV_QP_ACCESS_FLAGS (with the
 * value `access`), or IBV_QP_QKEY for datagrams. Returns ST_OK or ST_FAILED.
 */
static int init_qp(struct verbs *v, struct ibv_qp *qp, int with, unsigned access)
{
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = v->port_num,
				 .qkey = v->qkey, .qp_access_flags = access };

	return modify_qp(v, qp, "initialising a queue pair", a,
			 IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | with);
}

/* Returns the address attributes for packets to a peer. */
static struct ibv_ah_attr address_of_path(const struct verbs *v, int peer)
{
	const struct verbs_card *c = &v->cards[peer];
	struct ibv_ah_attr a = { .dlid = c->lid, .port_num = v->port_num };

	a.is_global = v->port.link_layer == IBV_LINK_LAYER_ETHERNET || v->options->gid != OPT_AUTO;
	if (a.is_global)
		a.grh = (struct ibv_global_route){ .dgid = c->gid, .hop_limit = 64,
						   .sgid_index = (uint8_t)v->gid_index };
	return a;
}

/*
 * Makes a UD queue pair ready for use. The queue pair must be new or reset. Returns ST_OK or
 * ST_FAILED.
 */
static int ready_datagram_qp(struct verbs *v, struct ibv_qp *qp)
{
	const char *what = "making a queue pair ready";
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR }, rts = { .qp_state = IBV_QPS_RTS };

	if (init_qp(v, qp, IBV_QP_QKEY, 0) || modify_qp(v, qp, what, rtr, IBV_QP_STATE))
		return ST_FAILED;
	return modify_qp(v, qp, what, rts, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

int verbs_reset_datagram_qp(struct verbs *v, struct ibv_qp *qp)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	if (modify_qp(v, qp, "resetting a queue pair", reset, IBV_QP_STATE))
		return ST_FAILED;
	return ready_datagram_qp(v, qp);
}

/*
 * Connects one of this rank's RC or UC queue pairs to the corresponding queue pair of the peer.
 * This is the queue pair for rounds if `data` is true, else that for messages.
 */
static int connect_qp(struct verbs *v, struct verbs_peer *p, const struct verbs_hello *h, bool data)
{
	int peer = verbs_rank_of(v, p);
	const struct verbs_card *c = &v->cards[peer];
	struct ibv_qp *qp = data ? p->data : p->msg;
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTR,
				 .path_mtu = v->mtu < c->mtu ? v->mtu : (enum ibv_mtu)c->mtu,
				 .dest_qp_num = data ? h->data_qpn : h->msg_qpn,
				 .rq_psn = data ? h->data_psn : h->msg_psn,
				 .sq_psn = data ? p->data_psn : p->msg_psn,
				 .ah_attr = address_of_path(v, peer),
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
		return verbs_handle_failed_post(v, p, "connecting a queue pair (can it reach the "
						"other device?)", err);
	a.qp_state = IBV_QPS_RTS;
	a.max_rd_atomic = (uint8_t)(v->reads < c->reads ? v->reads : c->reads);
	err = ibv_modify_qp(qp, &a, rts);
	return err ? verbs_handle_failed_post(v, p, "making a queue pair ready", err) : ST_OK;
}

/* ---- creating queue pairs ---- */

/*
 * Creates both of this rank's queue pairs for a peer if they do not exist yet. Returns ST_OK or
 * ST_FAILED.
 */
static int create_qps(struct verbs *v, struct verbs_peer *p)
{
	struct ibv_qp_init_attr msg = { .send_cq = v->msg_cq, .recv_cq = v->msg_cq, .srq = v->srq,
					.qp_type = IBV_QPT_RC,
					.cap = { VERBS_MSG_DEPTH, v->srq ? 0 : 32, 1, 1, 0 } };
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	struct ibv_qp_init_attr data = { .send_cq = v->cq, .recv_cq = v->cq,
					 .qp_type = types[v->options->transport],
					 .cap = { v->tx_depth, v->rx_depth, 2, 2, v->inlined } };
	uint32_t *inlined = &data.cap.max_inline_data;
	/* lets the receiver of a long message read the message from this rank's memory */
	unsigned access = v->may_lose ? 0 : IBV_ACCESS_REMOTE_READ;
	struct secret s;

	if (p->msg)
		return ST_OK;
	/* tries the requested inline length, then shorter lengths, until the device grants one */
	while (!(p->data = ibv_create_qp(v->pd, &data)) && *inlined)
		*inlined = *inlined > 16 ? *inlined / 2 : 0;
	if (p->data && *inlined < v->inlined)
		v->inlined = *inlined;
	p->msg = p->data ? ibv_create_qp(v->pd, &msg) : NULL;
	if (!p->msg)
		return verbs_report_failure(v, "creating a queue pair (lower '--tx-depth' and "
					    "'--rx-depth'?)", errno);
	if (secret_make(&s))
		return ST_FAILED;
	/* strangers do not know these random numbers, so the device drops their packets */
	memcpy(&p->data_psn, s.key, sizeof(p->data_psn));
	memcpy(&p->msg_psn, s.key + sizeof(p->data_psn), sizeof(p->msg_psn));
	p->data_psn &= PSN_MASK;
	p->msg_psn &= PSN_MASK;
	if ((!v->datagram && init_qp(v, p->data, IBV_QP_ACCESS_FLAGS, verbs_round_access(v))) ||
	    init_qp(v, p->msg, IBV_QP_ACCESS_FLAGS, access))
		return ST_FAILED;
	return verbs_post_own_buffers(v, p);
}

/*
 * Connects both queue pairs to those of the peer. The peer's hello names them. Returns ST_OK or
 * ST_FAILED.
 */
static int connect_qps(struct verbs *v, struct verbs_peer *p, const struct verbs_hello *h)
{
	struct ibv_ah_attr path = address_of_path(v, verbs_rank_of(v, p));

	p->data_qpn = h->data_qpn;
	if (v->datagram) {
		p->ah = ibv_create_ah(v->pd, &path);
		if (!p->ah)
			return verbs_report_failure(v, "making an address", errno);
	}
	if (v->datagram ? ready_datagram_qp(v, p->data) : connect_qp(v, p, h, true))
		return ST_FAILED;
	v->in_order = !v->datagram &&
		      ibv_query_qp_data_in_order(p->data, IBV_WR_RDMA_WRITE, 0) > 0;
	p->heard = !connect_qp(v, p, h, false);
	return p->heard ? ST_OK : ST_FAILED;
}

/* ---- hellos ---- */

/* Posts receive buffers for hellos: those with the numbers `first` to end - 1. */
static int post_hello_buffers(struct verbs *v, size_t first, size_t end)
{
	int err = ST_OK;

	for (size_t i = first; i < end && !err; i++)
		err = verbs_post_buffer(v, v->ud, i, v->ud_mem + i * HELLO_BUFFER, HELLO_BUFFER,
					v->ud_mr->lkey);
	return err;
}

int verbs_open_hello(struct verbs *v)
{
	/* the final buffer is for hellos that this rank sends */
	const size_t len = (HELLOS + 1) * HELLO_BUFFER;
	struct ibv_qp_init_attr a = { .qp_type = IBV_QPT_UD, .cap = { 8, HELLOS, 1, 1, 0 } };

	a.recv_cq = v->ud_cq = ibv_create_cq(v->ctx, HELLOS + 16, NULL, NULL, 0);
	a.send_cq = v->ud_send_cq = ibv_create_cq(v->ctx, 16, NULL, NULL, 0);
	v->ud_mem = calloc(1, len);
	v->ud_mr = v->ud_mem ? ibv_reg_mr(v->pd, v->ud_mem, len, IBV_ACCESS_LOCAL_WRITE) : NULL;
	v->ud = v->ud_cq && v->ud_send_cq && v->ud_mr ? ibv_create_qp(v->pd, &a) : NULL;
	if (!v->ud)
		return verbs_report_failure(v, "making a queue pair", errno);
	return ready_datagram_qp(v, v->ud) ? ST_FAILED : post_hello_buffers(v, 0, HELLOS);
}

/*
 * CAP_LOSS: makes the queue pair for hellos ready again. A datagram that cannot be sent, for
 * example because the port is down, puts the queue pair into the error state.
 */
static int reset_hello_qp(struct verbs *v)
{
	struct ibv_wc wc;

	if (verbs_reset_datagram_qp(v, v->ud))
		return ST_FAILED;
	while (ibv_poll_cq(v->ud_cq, 1, &wc) > 0)
		;
	return post_hello_buffers(v, 0, HELLOS);
}

static struct verbs_hello make_hello(const struct verbs *v, const struct verbs_peer *p)
{
	return (struct verbs_hello){ v->run, (uint32_t)v->ep.job->rank, p->data->qp_num,
				     p->msg->qp_num, p->data_psn, p->msg_psn, p->heard };
}

/*
 * Sends one hello and waits until it is sent. With CAP_LOSS, returns ST_OK even if the hello cannot
 * be sent, because a later hello may succeed.
 */
static int send_hello(struct verbs *v, struct verbs_peer *p)
{
	int peer = verbs_rank_of(v, p), err, n = 0;
	struct ibv_ah_attr path = address_of_path(v, peer);
	struct verbs_hello *h = (struct verbs_hello *)(v->ud_mem + HELLOS * HELLO_BUFFER);
	struct ibv_sge sge = { (uintptr_t)h, sizeof(*h), v->ud_mr->lkey };
	struct ibv_send_wr wr = { .wr_id = HELLOS, .sg_list = &sge, .num_sge = 1,
				  .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED }, *bad;
	struct ibv_ah *ah = ibv_create_ah(v->pd, &path);
	struct ibv_wc wc;

	if (!ah && verbs_survives_loss(v))
		return ST_OK;
	if (!ah)
		return verbs_report_failure(v, "creating an address (can it reach the other "
					    "device?)", errno);
	*h = make_hello(v, p);
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = v->cards[peer].ud_qpn;
	wr.wr.ud.remote_qkey = v->qkey;
	err = ibv_post_send(v->ud, &wr, &bad);
	for (double start = clock_wall(); !err && !n && clock_wall() - start < 1;)
		n = ibv_poll_cq(v->ud_send_cq, 1, &wc);
	ibv_destroy_ah(ah);
	if (verbs_survives_loss(v) && (err || (n && wc.status != IBV_WC_SUCCESS)))
		return reset_hello_qp(v);
	return err ? verbs_report_failure(v, "sending a datagram", err) : ST_OK;
}

static int handle_hello(struct verbs *v, const struct verbs_hello *h)
{
	struct verbs_peer *p = &v->peers[h->from];
	int err;

	if (p->gone)
		return ST_OK;
	err = create_qps(v, p);
	if (!err && !p->heard)
		err = connect_qps(v, p, h);
	if (!err && !h->ready) {
		err = send_hello(v, p);
	} else if (!err && !p->connected) {
		p->connected = true;
		err = verbs_send_notice(v, p, MSG_READY);
	}
	/* a lost peer does no harm if the round does not need the peer */
	return p->gone && !p->in_round ? ST_OK : err;
}

int verbs_answer_hellos(struct verbs *v)
{
	const struct expected expected = { v->run, 0, (uint64_t)v->ep.job->size, HELLO_BUFFER,
					   HELLO_BUFFER };
	struct claim claim;
	struct ibv_wc wc;
	struct verbs_hello h;
	int err = ST_OK;

	while (!err && ibv_poll_cq(v->ud_cq, 1, &wc) > 0) {
		if (wc.status != IBV_WC_SUCCESS && verbs_survives_loss(v))
			return reset_hello_qp(v);
		if (wc.status != IBV_WC_SUCCESS)
			return error_report("device '%s': connecting to ranks failed: %s",
					    ibv_get_device_name(v->ctx->device),
					    ibv_wc_status_str(wc.status));
		memcpy(&h, v->ud_mem + wc.wr_id * HELLO_BUFFER + VERBS_GRH, sizeof(h));
		claim = (struct claim){ h.run, h.from, wc.byte_len,
					h.from != (uint32_t)v->ep.job->rank };
		err = post_hello_buffers(v, wc.wr_id, wc.wr_id + 1);
		if (!err && job_accepts_claim(v->ep.job, &v->strangers, &claim, &expected))
			err = handle_hello(v, &h);
	}
	return err;
}

int verbs_connect(struct verbs *v, int peer)
{
	struct verbs_peer *p = &v->peers[peer];
	const struct verbs_card *mine = &v->cards[v->ep.job->rank], *its = &v->cards[peer];
	double most = verbs_survives_loss(v) ? ENDPOINT_SILENCE_S : VERBS_CONNECT_S;
	double start = clock_wall(), last_hello = 0;
	struct verbs_hello own;
	bool any;

	if (p->connected)
		return ST_OK;
	if (create_qps(v, p))
		return ST_FAILED;
	if (mine == its) {
		own = make_hello(v, p);
		p->connected = !connect_qps(v, p, &own);
		return p->connected ? ST_OK : ST_FAILED;
	}
	while (!p->connected) {
		double now = clock_wall();

		if (now - last_hello >= AGAIN_S && send_hello(v, p))
			return ST_FAILED;
		last_hello = now - last_hello >= AGAIN_S ? now : last_hello;
		if (now - start > most && verbs_survives_loss(v))
			return -verbs_mark_lost(v, p, "no answer from it");
		if (now - start > most)
			return error_report("rank %d on host '%s', device '%s', gets no answer "
					    "from rank %d on host '%s', device '%s', within "
					    "%.0f s: choose devices and GIDs that reach each other "
					    "by '--device' and '--gid'", v->ep.job->rank,
					    mine->host, mine->device, peer, its->host, its->device,
					    most);
		if (verbs_answer_hellos(v) || verbs_progress(v, &any))
			return ST_FAILED;
		sched_yield();
	}
	return ST_OK;
}

/* ---- lost peers ---- */

/*
 * Handles lost peers in a run that continues after a loss (CAP_LOSS). A rank that loses a peer
 * disables it: the rank sets both of its queue pairs for the peer to the error state and drops
 * their later completions. The rank never connects to that peer again in this run. To connect
 * again, the two ranks would have to agree on which of their earlier messages still count.
 *
 * A round is lost if any rank that it needs is lost. The other ranks of the round lose this round
 * too, so this rank disables them as well. Ranks that the round does not need stay connected.
 */

static void disable_peer(struct verbs_peer *p)
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

int verbs_mark_lost(struct verbs *v, struct verbs_peer *p, const char *why)
{
	int me = v->ep.job->rank, peer = verbs_rank_of(v, p);

	if (!p->gone) {
		error_note("rank %d on host '%s' lost rank %d on host '%s': %s", me,
			   v->cards[me].host, peer, v->cards[peer].host, why);
		disable_peer(p);
	}
	v->peer_lost |= p->in_round;
	return p->in_round ? -1 : 0;
}

int verbs_mark_round_peers(struct verbs *v, const struct round *r)
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

int verbs_discard_round(struct verbs *v)
{
	double begun, last, now;

	for (int i = 0; i < v->ep.job->size; i++) {
		struct verbs_peer *p = &v->peers[i];

		if (p->in_round && !p->gone)
			disable_peer(p);
		p->in_round = false;
	}
	v->peer_lost = v->failed = false;
	v->nchain = 0;
	v->chain_to = NULL;
	v->awaited = NULL;
	/*
	 * drops the completions that disabled queue pairs still produce, because these must not
	 * count for a later round
	 */
	begun = last = now = clock_wall();
	while (now - last < SETTLE_S && now - begun < SETTLE_MOST_S) {
		bool rounds, messages;

		if (verbs_handle_completions(v, &rounds) || verbs_progress(v, &messages))
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

struct verbs_peer *verbs_peer_of_qp(const struct verbs *v, uint32_t qp_num)
{
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size; p++)
		if ((p->data && p->data->qp_num == qp_num) || (p->msg && p->msg->qp_num == qp_num))
			return p;
	return NULL;
}
