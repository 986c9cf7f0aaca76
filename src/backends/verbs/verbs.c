/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `verbs`: runs the rounds that arm.c has prepared, over queue pairs of RDMA devices
 * (METHODS 5).
 *
 * Sends are collected in a chain, which the doorbell posts. Only the final send of a chain is
 * signalled. A send is done when its completion has arrived. Over RC, a completion means that the
 * other device has acknowledged the message. If each step is a single message (a ping-pong), an
 * inlined send is done at once, because its buffer is free. The other rank's answer then shows that
 * the message has arrived.
 */
#include <arpa/inet.h>
#include <poll.h>

#include "backends/verbs/arm.h"
#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/open.h"
#include "backends/verbs/rdma.h"
#include "backends/verbs/record.h"
#include "backends/verbs/verbs.h"
#include "transport/round.h"

#define WCS 16			/* largest number of completions that one poll reads */
#define REPOST 16		/* largest number of receives that one call posts */

/*
 * The number (wr_id) of a work request contains its kind and its peer. It also contains the number
 * of transfers that its completion completes, and the number of send-queue slots that its
 * completion frees.
 */
enum verbs_work { KIND_SEND, KIND_RECV };

static inline uint64_t make_wr_id(enum verbs_work kind, uint32_t done, uint32_t slots, int peer)
{
	return (uint64_t)kind << 60 | (uint64_t)done << 40 | (uint64_t)slots << 20 | (uint32_t)peer;
}

enum { ID_PEER = 0, ID_SLOTS = 20, ID_DONE = 40 };

static inline uint32_t wr_id_field(uint64_t id, int shift)
{
	return id >> shift & 0xfffff;
}

/* ---- faults and waiting ---- */

int verbs_completion_error(struct verbs *v, const struct ibv_wc *wc, int peer, const char *what)
{
	struct timespec nap = { 0, 300000000L };
	int me = v->ep.job->rank;

	if (verbs_survives_loss(v))
		return verbs_mark_lost(v, &v->peers[peer], ibv_wc_status_str(wc->status));
	/* waits first: if a rank has died, the job reports the death more clearly meanwhile */
	nanosleep(&nap, NULL);
	return -error_report("rank %d on host '%s': %s rank %d on host '%s' failed: %s (status %d, "
			     "vendor's code 0x%x)", me, v->cards[me].host, what, peer,
			     v->cards[peer].host, ibv_wc_status_str(wc->status), wc->status,
			     wc->vendor_err);
}

int verbs_handle_failed_post(struct verbs *v, struct verbs_peer *p, const char *what, int err)
{
	if (!verbs_survives_loss(v))
		return verbs_report_failure(v, what, err);
	verbs_mark_lost(v, p, strerror(err < 0 ? -err : err));
	return ST_FAILED;
}

/*
 * Handles the device's asynchronous events. Returns 0, or -1 after the first fatal event or a lost
 * peer. CAP_LOSS: if a queue pair has an error, its peer counts as lost. If a port goes down, no
 * peer counts as lost at once; the peers only become silent.
 */
static int check_events(struct verbs *v)
{
	const char *device = ibv_get_device_name(v->ctx->device);
	struct ibv_async_event e;
	bool fatal = false;

	while (!ibv_get_async_event(v->ctx, &e)) {
		enum ibv_event_type type = e.event_type;
		const char *text = ibv_event_type_str(type);
		bool pair = type == IBV_EVENT_QP_FATAL || type == IBV_EVENT_QP_REQ_ERR ||
			    type == IBV_EVENT_QP_ACCESS_ERR, port = type == IBV_EVENT_PORT_ERR;
		struct verbs_peer *p = pair ? verbs_peer_of_qp(v, e.element.qp->qp_num) : NULL;

		if (verbs_survives_loss(v) && p) {
			verbs_mark_lost(v, p, text);
		} else if (verbs_survives_loss(v) && (pair || port)) {
			error_note("device '%s' reports: %s", device, text);
		} else if (!fatal &&
			   (pair || port || type == IBV_EVENT_CQ_ERR || type == IBV_EVENT_SRQ_ERR ||
			    type == IBV_EVENT_DEVICE_FATAL)) {
			fatal = true;
			error_report("device '%s' reports: %s", device, text);
		}
		ibv_ack_async_event(&e);
	}
	return fatal || v->peer_lost ? -1 : 0;
}

/* Returns true if no completion has come for this number of seconds. */
static bool is_idle_for(struct verbs *v, double seconds)
{
	if (!v->idle_since)
		v->idle_since = clock_wall();
	return clock_wall() - v->idle_since >= seconds;
}

/*
 * Checks whether sends have stalled, because each send in flight must complete. Returns -1 after
 * reporting that no send has completed for VERBS_STALL_S, else 0. CAP_LOSS: if nothing has come for
 * ENDPOINT_SILENCE_S, marks the round's peers as lost and returns -1.
 */
static int check_stall(struct verbs *v)
{
	bool outlives = verbs_survives_loss(v);
	uint64_t in_flight = 0;

	if (!is_idle_for(v, outlives ? ENDPOINT_SILENCE_S : VERBS_STALL_S))
		return 0;
	v->idle_since = 0;
	for (struct verbs_peer *p = v->peers; p < v->peers + v->ep.job->size; p++) {
		if (outlives && p->in_round)
			verbs_mark_lost(v, p, "it has been silent for too long");
		in_flight += p->sq_used - p->unsignalled + p->msg_used;
	}
	if (outlives)
		return v->peer_lost ? -1 : 0;
	if (!in_flight)
		return 0;
	return -error_report("rank %d: no completion for %.0f s, %llu work requests are in flight",
			     v->ep.job->rank, VERBS_STALL_S, (unsigned long long)in_flight);
}

/*
 * Waits for an event of the completion queue after polls that found nothing. The first call only
 * requests the event. The next call sleeps until the event comes, at most 0.1 s. Returns 0, or -1
 * after a failure.
 */
static int sleep_until_event(struct verbs *v, struct ibv_cq *cq)
{
	struct pollfd fd = { .fd = v->events->fd, .events = POLLIN };
	struct ibv_cq *which;
	void *context;

	if (v->armed != cq) {
		v->armed = cq;
		return ibv_req_notify_cq(cq, 0)
			? -verbs_report_failure(v, "asking for events", errno) : 0;
	}
	if (poll(&fd, 1, 100) > 0 && !ibv_get_cq_event(v->events, &which, &context)) {
		ibv_ack_cq_events(which, 1);
		v->armed = NULL;
	}
	return 0;
}

int verbs_wait_briefly(struct verbs *v, struct ibv_cq *cq)
{
	uint32_t k = v->idle++;

	if (v->events)
		return sleep_until_event(v, cq) || check_events(v) || check_stall(v) ? -1 : 0;
	if (k % 1024 == 1023 && (check_events(v) || check_stall(v)))
		return -1;
	if (k >= v->patience.spins)
		sched_yield();
	return 0;
}

/* ---- receives ---- */

int verbs_post_recvs(struct verbs *v, struct verbs_peer *p, uint64_t n)
{
	struct ibv_recv_wr wr[REPOST], *bad;
	struct ibv_sge sge[REPOST][2];
	int err;

	for (n = n < p->recv_left ? n : p->recv_left; n;) {
		uint32_t k = n < REPOST ? (uint32_t)n : REPOST;

		for (uint32_t i = 0; i < k; i++) {
			struct verbs_plan *x = p->recv;
			uint64_t at = x->at.addr + --x->left % x->at.slots * x->at.stride;

			sge[i][0] = (struct ibv_sge){ (uintptr_t)v->arena.at, VERBS_GRH,
						      v->mr->lkey };
			sge[i][v->datagram] = (struct ibv_sge){ at, x->at.len, v->mr->lkey };
			wr[i] = (struct ibv_recv_wr){ .next = &wr[i] + 1, .sg_list = sge[i],
						      .num_sge = v->recv_sges };
			wr[i].wr_id = make_wr_id(KIND_RECV, x->at.repeat / x->reports, 1,
						 verbs_rank_of(v, p));
			if (++p->at_repeat == x->reports) {
				p->at_repeat = 0;
				p->recv = x->next;
			}
		}
		wr[k - 1].next = NULL;
		err = ibv_post_recv(p->data, wr, &bad);
		if (err)
			return verbs_handle_failed_post(v, p, "posting receives", err);
		p->recv_posted += k;
		p->recv_left -= k;
		n -= k;
	}
	return ST_OK;
}

/*
 * Handles the completion of a receive. Returns the number of receives of the round that are now
 * complete, or a negative number after a failure. If a later datagram arrives before an earlier
 * one, the earlier datagram counts as lost. If the earlier datagram arrives after all, it counts as
 * reordered instead.
 */
static inline int handle_receive(struct verbs *v, struct verbs_peer *p, const struct ibv_wc *wc,
				 bool datagram)
{
	int32_t gap;

	p->recv_posted--;
	if (p->recv_left && p->recv_depth - p->recv_posted >= REPOST &&
	    verbs_post_recvs(v, p, p->recv_depth - p->recv_posted))
		return -1;
	if (!datagram)
		return arrivals_add(&p->arrivals, wr_id_field(wc->wr_id, ID_DONE));
	gap = (int32_t)(ntohl(wc->imm_data) - p->next);
	if (gap < 0) {
		v->reordered++;
		v->lost--;
		return 0;
	}
	v->lost += gap;
	p->next += (uint32_t)gap + 1;
	return arrivals_add(&p->arrivals, (uint32_t)gap + 1);
}

/*
 * Counts p's missing datagrams with sequence numbers before `end` as lost. Returns the number of
 * receives that are thereby complete.
 */
static int count_as_lost(struct verbs *v, struct verbs_peer *p, uint32_t end)
{
	int32_t lost = (int32_t)(end - p->next);

	if (lost <= 0)
		return 0;
	v->lost += lost;
	p->next = end;
	return arrivals_add(&p->arrivals, (uint32_t)lost);
}

/*
 * Decides whether datagrams expected from p are lost. A datagram that p has sent, according to its
 * answer, is lost if it does not arrive soon after that answer. All expected datagrams are lost if
 * p does not answer, for example because p has ended the round. Asks p again only after an answer,
 * because a rank that does not poll has room for few questions. Returns the number of completed
 * receives, or -1.
 */
static int decide_lost_datagrams(struct verbs *v, struct verbs_peer *p, double now)
{
	bool late = now - v->idle_since >= VERBS_LATE_S;
	int done = 0;

	if (p->ask == VERBS_ASKED)
		return late ? count_as_lost(v, p, p->next + p->arrivals.expected) : 0;
	if (p->ask == VERBS_ANSWERED && now - p->answered < VERBS_ASK_S / 2)
		return 0;
	if (p->ask == VERBS_ANSWERED)
		done = count_as_lost(v, p, p->confirmed);
	p->ask = VERBS_ASKED;
	return verbs_send_notice(v, p, MSG_ASK) ? -1 : done;
}

/*
 * UD: asks silent senders how many datagrams they have sent. The questions go over RC. Returns the
 * number of completed receives, or -1.
 */
static int check_lost_datagrams(struct verbs *v)
{
	double since = v->idle_since ? v->idle_since : clock_wall(), now;
	bool any;
	int done = 0;

	if (verbs_progress(v, &any))
		return -1;
	/* restores idle_since, because messages over RC are not datagrams */
	v->idle_since = since;
	now = clock_wall();
	if (now - v->asked < VERBS_ASK_S || now - since < VERBS_ASK_S)
		return 0;
	v->asked = now;
	for (int i = 0; i < v->ep.job->size; i++) {
		int n = v->peers[i].arrivals.expected
			? decide_lost_datagrams(v, &v->peers[i], now) : 0;

		if (n < 0)
			return -1;
		done += n;
	}
	return done;
}

/*
 * UC: checks for lost messages, which the device does not report. Returns -1 after reporting that
 * no message has come for VERBS_UC_LOST_S, else 0.
 */
static int check_lost_messages(struct verbs *v)
{
	bool waits = is_idle_for(v, VERBS_UC_LOST_S);

	for (int i = 0; i < v->ep.job->size && waits; i++)
		if (v->peers[i].arrivals.expected)
			return -error_report("rank %d: a message from rank %d is missing for "
					     "%.0f s; UC does not repeat lost messages",
					     v->ep.job->rank, i, VERBS_UC_LOST_S);
	return 0;
}

/* ---- completions ---- */

/*
 * Handles a failed completion. If the failed send was unsignalled, its wr_id is 0, and its queue
 * pair identifies the peer. Returns a negative number if the round has failed, else 0.
 */
static int handle_failure(struct verbs *v, const struct ibv_wc *wc)
{
	bool is_recv = wc->wr_id >> 60 == KIND_RECV;
	struct verbs_peer *p = verbs_peer_of_qp(v, wc->qp_num);

	p = p ? p : &v->peers[wr_id_field(wc->wr_id, ID_PEER)];
	if (!is_recv && wr_id_field(wc->wr_id, ID_SLOTS))
		v->reports--;
	return verbs_completion_error(v, wc, verbs_rank_of(v, p),
				      is_recv ? "a receive from" : "a send to");
}

static inline int handle_completion(struct verbs *v, const struct ibv_wc *wc, bool datagram)
{
	enum verbs_work kind = (enum verbs_work)(wc->wr_id >> 60);
	struct verbs_peer *p = &v->peers[wr_id_field(wc->wr_id, ID_PEER)];

	if (__builtin_expect(wc->status != IBV_WC_SUCCESS, 0))
		return handle_failure(v, wc);
	if (kind == KIND_RECV)
		return handle_receive(v, p, wc, datagram);
	p->sq_used -= wr_id_field(wc->wr_id, ID_SLOTS);
	v->reports--;
	return (int)wr_id_field(wc->wr_id, ID_DONE);
}

/*
 * Handles the completions in the queue. Returns the number of completed transfers, or a negative
 * number after a failure.
 */
static inline int handle_completions(struct verbs *v, bool *any, bool datagram)
{
	struct ibv_wc wc[WCS];
	int n = ibv_poll_cq(v->cq, WCS, wc), done = 0;

	*any = n > 0;
	if (__builtin_expect(n < 0, 0))
		return -error_report("polling a completion queue failed");
	for (int i = 0; i < n; i++) {
		int k = handle_completion(v, &wc[i], datagram);

		if (__builtin_expect(k < 0, 0))
			return -1;
		done += k;
	}
	return done;
}

int verbs_handle_completions(struct verbs *v, bool *any)
{
	return handle_completions(v, any, v->datagram) < 0 ? ST_FAILED : ST_OK;
}

int verbs_drain(struct verbs *v, const struct verbs_peer *p)
{
	bool any;

	do {
		if (handle_completions(v, &any, v->datagram) < 0 ||
		    (!any && p->sq_used && verbs_wait_briefly(v, v->cq)))
			return ST_FAILED;
	} while (any || p->sq_used);
	return ST_OK;
}

ROUND_INLINE int poll_completions(struct endpoint *ep, bool datagram)
{
	struct verbs *v = verbs_of(ep);
	bool any;
	int done = handle_completions(v, &any, datagram);

	if (__builtin_expect(done < 0 || v->failed, 0))
		return -1;
	done += v->late_done;
	v->late_done = 0;
	if (any || done) {
		v->idle = 0;
		v->idle_since = 0;
		return done;
	}
	if (verbs_wait_briefly(v, v->cq))
		return -1;
	/*
	 * with events, a poll that finds nothing takes long, so each such poll checks for lost
	 * datagrams
	 */
	if (datagram && (v->events || v->idle % 256 == 0))
		return check_lost_datagrams(v);
	if (v->options->transport == VERBS_UC && (v->events || v->idle % 1024 == 0))
		return check_lost_messages(v);
	return 0;
}

static inline int poll_cq(struct endpoint *ep)
{
	return poll_completions(ep, false);
}

static inline int poll_datagrams(struct endpoint *ep)
{
	return poll_completions(ep, true);
}

/*
 * Polls the last byte of a written message. The device writes that byte after all others. No
 * message contains a byte of value 0, so any other value shows that the message is complete.
 */
static inline int poll_last_byte(struct endpoint *ep)
{
	struct verbs *v = verbs_of(ep);
	struct verbs_plan *plan = v->awaited;

	for (uint32_t look = 0; plan && look < 64; look++) {
		if (*plan->last) {
			*plan->arrived = *plan->last;
			*plan->last = 0;
			v->awaited = NULL;
			v->idle = 0;
			v->idle_since = 0;
			return 1;
		}
		cpu_pause();
	}
	return poll_completions(ep, false);
}

/* ---- sends ---- */

/*
 * Waits until the send queue has room for n more requests. The next poll reports the transfers that
 * complete during this wait. Returns 0, or -1 after a failure.
 */
static int wait_for_room(struct verbs *v, struct verbs_peer *p, uint32_t n)
{
	while (p->sq_used + n > v->tx_depth || v->reports >= v->cq_half) {
		bool any;
		int done = handle_completions(v, &any, v->datagram);

		if (done < 0 || (!any && verbs_wait_briefly(v, v->cq)))
			return -1;
		v->late_done += done;
	}
	return 0;
}

/*
 * Posts the chain. If `report` is true, the chain's final request is signalled, and its completion
 * completes `done` transfers.
 */
static inline void ring_doorbell(struct verbs *v, bool report, uint32_t done)
{
	struct verbs_peer *p = v->chain_to;
	uint32_t n = v->nchain;
	struct ibv_send_wr *last = &v->chain[n - 1], *bad;
	int err;

	v->nchain = 0;
	v->chain_to = NULL;
	if (__builtin_expect(v->failed, 0))
		return;
	if (__builtin_expect(p->sq_used + n > v->tx_depth || v->reports >= v->cq_half, 0) &&
	    wait_for_room(v, p, n)) {
		v->failed = true;
		return;
	}
	p->sq_used += n;
	p->unsignalled += n;
	last->next = NULL;
	if (report) {
		last->send_flags |= IBV_SEND_SIGNALED;
		last->wr_id = make_wr_id(KIND_SEND, done, p->unsignalled, verbs_rank_of(v, p));
		p->unsignalled = 0;
		v->reports++;
	}
	err = ibv_post_send(p->data, v->chain, &bad);
	if (__builtin_expect(err, 0))
		v->failed = verbs_handle_failed_post(v, p, "posting work requests", err);
}

static inline void flush_chain(struct endpoint *ep)
{
	struct verbs *v = verbs_of(ep);

	if (v->nchain)
		ring_doorbell(v, true, v->nchain);
}

/*
 * Adds a transfer to the chain. If the chain is full or goes to another rank, first posts the
 * chain. Returns the work request of the transfer.
 */
static inline struct ibv_send_wr *append_to_chain(struct verbs *v, struct verbs_plan *plan)
{
	uint64_t slot = --plan->left % plan->at.slots;
	struct ibv_send_wr *wr;
	struct ibv_sge *sge;

	if (v->nchain && (v->chain_to != plan->peer || v->nchain == v->tx_depth))
		ring_doorbell(v, true, v->nchain);
	v->chain_to = plan->peer;
	sge = v->sges[v->nchain];
	wr = &v->chain[v->nchain++];
	*wr = plan->wr;
	wr->next = wr + 1;
	wr->sg_list = sge;
	/* remote_stride is 0 unless the operation is one-sided */
	wr->wr.rdma.remote_addr += slot * plan->remote_stride;
	wr->imm_data = htonl(plan->peer->sent++);
	sge[0] = plan->sge[0];
	sge[0].addr += slot * plan->at.stride;
	sge[1] = plan->sge[1];
	return wr;
}

static inline int post_chained(struct endpoint *ep, const struct xfer *x)
{
	struct verbs *v = verbs_of(ep);
	struct verbs_plan *plan = &v->plans[x - v->xfers];
	struct ibv_send_wr *wr;

	if (x->op == OP_RECV)
		return arrivals_expect(&plan->peer->arrivals);
	if (x->op == OP_EXPOSE)
		return 1;
	wr = append_to_chain(v, plan);
	if (plan->in_step && --plan->in_step == 0) {	/* the final write of a step */
		plan->in_step = plan->at.repeat;
		wr->opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
	}
	return 0;
}

/*
 * Posts a transfer at once, for rounds in which each step is a single message. Also posts the
 * acknowledgements of FLOW_ANSWERS.
 */
static inline int post_single(struct endpoint *ep, const struct xfer *x)
{
	struct verbs *v = verbs_of(ep);
	struct verbs_plan *plan = &v->plans[x - v->xfers];
	bool inlined = plan->wr.send_flags & IBV_SEND_INLINE, last;

	if (x->op == OP_RECV && plan->last) {
		v->awaited = plan;
		return 0;
	}
	if (x->op == OP_RECV)
		return arrivals_expect(&plan->peer->arrivals);
	if (x->op == OP_EXPOSE)
		return 1;
	append_to_chain(v, plan);
	/*
	 * signals the final request; otherwise slots of the send queue would stay in use, and no
	 * long chain would fit
	 */
	last = !plan->left;
	ring_doorbell(v, !inlined || last || plan->peer->unsignalled >= v->tx_depth / 2, !inlined);
	return v->failed ? -1 : inlined;
}

/* ---- rounds ---- */

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	struct verbs *v = verbs_of(ep);
	int err;

	if (v->datagram && (v->lone || r->flow == FLOW_ANSWERS))
		err = round_drive_host(ep, r, post_single, NULL, poll_datagrams, seconds);
	else if (v->datagram)
		err = round_drive_host(ep, r, post_chained, flush_chain, poll_datagrams, seconds);
	else if (v->last_byte)
		err = round_drive_host(ep, r, post_single, NULL, poll_last_byte, seconds);
	else if (v->lone || r->flow == FLOW_ANSWERS)
		err = round_drive_host(ep, r, post_single, NULL, poll_cq, seconds);
	else
		err = round_drive_host(ep, r, post_chained, flush_chain, poll_cq, seconds);
	/*
	 * restores the last bytes saved in `arrived`, and tells other ranks that this rank's reads
	 * have ended
	 */
	for (uint32_t i = 0; i < r->nxfers && !err; i++) {
		struct verbs_plan *plan = &v->plans[i];

		if (plan->last && !*plan->last)
			*plan->last = *plan->arrived;
		if (r->xfers[i].op == OP_READ)
			err = verbs_send_notice(v, plan->peer, MSG_DONE);
		if (r->xfers[i].op == OP_EXPOSE)
			err = verbs_await_notices(v, &plan->peer->dones, ++plan->peer->dones_used);
	}
	return v->peer_lost ? verbs_discard_round(v) : err;
}

/* ---- the backend ---- */

NETBENCH_EXPORT const struct backend netbench_backend = {
	.name = "verbs",
	.summary = "RDMA devices through libibverbs",
	.abi = BACKEND_ABI,
	.caps = VERBS_CAPS | CAP_READ | CAP_EACH | CAP_ACKED | CAP_LOSS,
	.max_ranks = 4096,
	.options = verbs_options,
	.options_size = sizeof(struct verbs_opts),
	.probe = verbs_probe,
	.check = verbs_check,
	.open = verbs_open,
	.close = verbs_close,
	.alloc = verbs_alloc,
	.release = arena_release,
	.arm = verbs_arm,
	.run = run_round,
	.isend = verbs_isend,
	.irecv = verbs_irecv,
	.test = verbs_test,
	.wait = verbs_wait,
	.now = host_ticks,
	.compute = host_compute,
	.rdma = verbs_rdma,
	.describe = verbs_describe,
	.list = verbs_list,
	.counters = verbs_counters,
};
