/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares a round. A prepared work request lacks only the fields that change with each message.
 * Receives are posted in advance into the round's buffers, so no data is copied.
 *
 * `--op` chooses the operation that carries a message: a send, a write with immediate data, or a
 * plain write. With plain writes, only the final message of a step has immediate data, which tells
 * the receiver that the whole step has arrived. If a step is a single message and the device writes
 * in order, the receiver polls the message's last byte instead. With `read`, the timed rank reads
 * the messages (METHODS 5).
 */
#include "backends/verbs/arm.h"
#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/verbs.h"
#include "transport/round.h"

/* ---- transfers ---- */

/* The step of a transfer that is made only once in a round. */
static const struct step once = { .n = 1, .repeat = 1, .window = 1, .batch = 1 };

/*
 * Plans a send. A write or read is planned as a send until the buffer of the other rank is known.
 */
static void plan_send(struct verbs *v, struct verbs_plan *plan)
{
	const struct verbs_buffer *x = &plan->at;
	char *message = (char *)(uintptr_t)x->addr;

	plan->sge[0] = (struct ibv_sge){ x->addr, x->len, v->mr->lkey };
	plan->wr.num_sge = x->len > 0;
	plan->wr.opcode = v->datagram ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;
	if (x->len <= v->inlined)
		plan->wr.send_flags = IBV_SEND_INLINE;
	if (v->datagram) {
		plan->wr.wr.ud.ah = plan->peer->ah;
		plan->wr.wr.ud.remote_qpn = plan->peer->data_qpn;
		plan->wr.wr.ud.remote_qkey = v->qkey;
	}
	for (uint32_t i = 1; i < x->slots; i++)
		memcpy(message + i * x->stride, message, x->len);
}

/*
 * Plans one transfer. During planning, p->recv is the latest planned receive from p, and its `next`
 * is the first planned receive from p.
 */
static int plan_xfer(struct verbs *v, const struct xfer *x, const struct step *s, uint64_t count)
{
	struct verbs_plan *plan = &v->plans[x - v->xfers];
	struct verbs_peer *p = &v->peers[x->peer];
	/* with plain writes, a receive causes a single completion per step */
	uint32_t reports = x->op == OP_RECV && v->silent ? 1 : s->repeat;
	uint32_t stride = (uint32_t)((x->len + VERBS_LINE - 1) / VERBS_LINE * VERBS_LINE);

	*plan = (struct verbs_plan){ .peer = p, .reports = reports, .left = count * reports };
	plan->at = (struct verbs_buffer){ .addr = (uintptr_t)x->buf, .len = (uint32_t)x->len,
					 .repeat = s->repeat, .slots = 1,
					 .last_byte = v->last_byte && x->op == OP_RECV };
	/*
	 * Short messages use slots in the first page of their buffer in turn, so successive
	 * messages use different cache lines. A message that the round sends only once uses the
	 * start of its buffer.
	 */
	if (stride && stride <= BACKEND_PAGE / 2 && !v->options->same_buffer && !v->last_byte &&
	    s != &once) {
		plan->at.slots = BACKEND_PAGE / stride;
		plan->at.stride = stride;
	}
	if (x->op == OP_NATIVE)
		return error_report("backend 'verbs' has no broadcast");
	p->is_sent_to |= x->op == OP_SEND;
	if (x->op != OP_RECV) {
		plan_send(v, plan);
		return ST_OK;
	}
	/* *last must be 0 until the next message arrives, so *arrived keeps the byte that came */
	if (v->last_byte) {
		plan->last = (unsigned char *)x->buf + x->len - 1;
		plan->arrived = (unsigned char *)v->arena.at + VERBS_GRH + (x - v->xfers);
		*plan->last = *plan->arrived = 0;
	}
	plan->next = p->recv ? p->recv->next : plan;
	if (p->recv)
		p->recv->next = plan;
	p->recv = plan;
	p->recv_left += plan->left;
	return ST_OK;
}

static int make_plans(struct verbs *v, const struct round *r)
{
	struct verbs_plan *plans = realloc(v->plans, r->nxfers * sizeof(*plans));
	int err = ST_OK;

	if (!plans)
		return error_report("no memory for the transfers of a round");
	v->plans = plans;
	v->xfers = r->xfers;
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size; p++) {
		p->recv = NULL;
		p->recv_left = 0;
		p->is_sent_to = false;
		p->at_repeat = p->arrivals.expected = 0;
	}
	for (uint32_t i = 0; i < r->nxfers && r->each && !err; i++)
		err = plan_xfer(v, &r->xfers[i], &once, 1);
	for (uint32_t i = 0; i < r->nsteps && !r->each && !err; i++)
		for (uint32_t k = 0; k < r->steps[i].n && !err; k++)
			err = plan_xfer(v, &r->xfers[r->steps[i].first + k], &r->steps[i],
					r->count);
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size; p++)
		p->recv = p->recv ? p->recv->next : NULL;
	return err;
}

/* ---- memory of the other rank ---- */

/*
 * Waits until the peer has named the buffer that a transfer writes or reads. Then fills in the rest
 * of the transfer's work request. Returns ST_OK or ST_FAILED.
 */
static int receive_target(struct verbs *v, const struct round *r, const struct xfer *x)
{
	struct verbs_plan *plan = &v->plans[x - v->xfers];
	struct verbs_buffer t;
	bool silent;

	if (verbs_receive_target(v, plan->peer, &t))
		return ST_FAILED;
	if (t.len != x->len || (x->op == OP_SEND && t.repeat != plan->at.repeat))
		return error_report("rank %d: a message of %zu bytes, %u times, differs from %u "
				    "bytes, %u times, on rank %d", v->ep.job->rank, x->len,
				    plan->at.repeat, t.len, t.repeat, x->peer);
	plan->wr.wr.rdma.remote_addr = t.addr;
	plan->wr.wr.rdma.rkey = v->cards[x->peer].rkey;
	plan->remote_stride = t.slots == plan->at.slots ? t.stride : 0;
	if (x->op == OP_READ) {
		plan->wr.opcode = IBV_WR_RDMA_READ;
		plan->wr.send_flags = 0;
		return ST_OK;
	}
	/* turns the planned send into a write to the buffer of the matching receive */
	silent = t.last_byte || (v->silent && plan->at.repeat > 1);
	plan->wr.opcode = silent ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_WRITE_WITH_IMM;
	plan->in_step = silent && !t.last_byte ? plan->at.repeat : 0;
	/* if a round sends on a message that it has received, the last byte comes from `arrived` */
	for (uint32_t i = 0; i < r->nxfers; i++) {
		if (r->xfers[i].op != OP_RECV || r->xfers[i].buf != x->buf || !v->plans[i].last)
			continue;
		plan->sge[0].length = (uint32_t)x->len - 1;
		plan->sge[1] = (struct ibv_sge){ (uintptr_t)v->plans[i].arrived, 1, v->mr->lkey };
		plan->wr.num_sge = 2;
	}
	return ST_OK;
}

/* ---- arming ---- */

/*
 * Removes the posted receives that still wait for lost datagrams. This is safe, because no rank
 * sends messages of the next round before this rank is armed. Returns ST_OK or ST_FAILED.
 */
static int discard_recvs(struct verbs *v)
{
	for (int i = 0; i < v->ep.job->size; i++)
		v->peers[i].recv_left = 0;
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size; p++) {
		if (!p->recv_posted)
			continue;
		/* drains first, because a reset would drop the sends in flight */
		if (verbs_drain(v, p) || verbs_reset_datagram_qp(v, p->data) || verbs_drain(v, p))
			return ST_FAILED;
		p->recv_posted = 0;
		p->arrivals = (struct arrivals){ 0, 0 };
	}
	return ST_OK;
}

/*
 * Posts as many receives of the round as the receive queues hold. Each completed receive makes room
 * for one of the remaining receives. Returns ST_OK or ST_FAILED.
 */
static int post_first_recvs(struct verbs *v)
{
	uint32_t senders = 0;
	int err = ST_OK;

	for (int i = 0; i < v->ep.job->size; i++)
		senders += v->peers[i].recv != NULL;
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size && !err; p++) {
		p->recv_depth = v->rx_depth;
		if (p->recv && p->recv_depth > v->cq_half / senders)
			p->recv_depth = v->cq_half / senders;
		err = verbs_post_recvs(v, p, p->recv_depth - p->recv_posted);
	}
	return err;
}

/* Returns whether the round's receivers detect messages by polling the last byte. */
static bool polls_last_byte(const struct verbs *v, const struct round *r)
{
	if (v->options->op != VERBS_WRITE || v->options->last_byte == LAST_BYTE_NEVER ||
	    !round_buffers_read_in_time(r) || r->nxfers > VERBS_SCRATCH - VERBS_GRH)
		return false;
	for (uint32_t i = 0; i < r->nxfers; i++)
		if (!r->xfers[i].len)
			return false;
	return v->options->last_byte == LAST_BYTE_ALWAYS || (v->in_order && !v->events);
}

static int arm_round(struct verbs *v, const struct round *r)
{
	struct verbs_peer *end = v->peers + v->ep.job->size;
	bool sends = v->options->op == VERBS_SEND;
	int err = verbs_mark_round_peers(v, r);

	for (uint32_t i = 0; i < r->nxfers && !err; i++)
		err = verbs_connect(v, r->xfers[i].peer);
	if (err || !r->nxfers)
		return err;
	if (v->datagram && discard_recvs(v))
		return ST_FAILED;
	v->lone = round_has_single_messages(r);
	v->last_byte = polls_last_byte(v, r);
	v->silent = v->options->op == VERBS_WRITE && r->flow <= FLOW_PLAIN;
	err = make_plans(v, r);
	/*
	 * tells the other ranks which buffers of this rank they write or read, and waits for the
	 * same information from them
	 */
	for (uint32_t i = 0; i < r->nxfers && !sends && !err; i++)
		if (r->xfers[i].op == OP_RECV || r->xfers[i].op == OP_EXPOSE)
			err = verbs_send_target(v, v->plans[i].peer, &v->plans[i].at);
	for (uint32_t i = 0; i < r->nxfers && !sends && !err; i++)
		if (r->xfers[i].op == OP_SEND || r->xfers[i].op == OP_READ)
			err = receive_target(v, r, &r->xfers[i]);
	if (err || (!v->last_byte && post_first_recvs(v)))
		return ST_FAILED;
	for (struct verbs_peer *p = v->peers; p < end && !err; p++)
		if (p->recv)
			err = verbs_send_notice(v, p, MSG_ARMED);
	/* waits until the ranks to which this rank sends have posted their receives */
	for (struct verbs_peer *p = v->peers; p < end && !err; p++)
		if (p->is_sent_to)
			err = verbs_await_notices(v, &p->armed, ++p->armed_used);
	return err;
}

int verbs_arm(struct endpoint *ep, const struct round *r)
{
	struct verbs *v = verbs_of(ep);
	int err = arm_round(v, r);

	return v->peer_lost ? verbs_discard_round(v) : err;
}
