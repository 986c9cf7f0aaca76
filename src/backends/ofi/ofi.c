/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `ofi` sends messages through libfabric. This file runs rounds.
 *
 * Receives are posted in advance in the order of the round, each into the round's own buffer. A
 * message within the inject limit counts as done when the provider has copied it. The final message
 * of a transfer is sent with a completion. The round waits for that completion after the measured
 * time, because a provider may need calls from this rank to send the message.
 */

#include "backends/ofi/arm.h"
#include "backends/ofi/msg.h"
#include "backends/ofi/ofi.h"
#include "backends/ofi/provider.h"
#include "backends/ofi/rail.h"
#include "backends/ofi/record.h"
#include "transport/round.h"

/* ---- waiting ---- */

/* Posts the receives for which the provider had no room earlier. Returns ST_OK or ST_FAILED. */
static int repost_receives(struct ofi *o)
{
	struct ofi_op *op = o->unposted_notes, *next;
	int err = ST_OK;

	o->starved = false;
	o->unposted_notes = NULL;
	for (; op && !err; op = next) {
		next = op->next;
		err = ofi_post_note_recv(o, op);
	}
	for (int i = 0; i < o->ep.job->size && !err; i++)
		err = ofi_post_recvs(o, &o->peers[i]);
	return err;
}

/*
 * Waits for a moment after a poll that found nothing. Returns 0, or -1 after reporting that sends
 * have stopped completing.
 */
static int wait_briefly(struct ofi *o)
{
	uint64_t k = o->idle++;
	bool waits = o->sending || o->refused, is_check_due = k % 1024 == 1023 || o->asleep;

	if (o->starved && repost_receives(o))
		return -1;
	if (is_check_due && !waits)
		o->idle_since = 0;
	else if (is_check_due && !o->idle_since)
		o->idle_since = clock_wall();
	/* sends in flight must not stay without any completion for long */
	if (is_check_due && waits && clock_wall() - o->idle_since >= OFI_STALL_S)
		return -error_report("rank %d: provider '%s' has completed nothing for %.0f s, %u "
				     "sends are in flight%s", o->ep.job->rank, ofi_provider(o),
				     OFI_STALL_S, o->sending,
				     o->refused ? ", and it accepts no more" : "");
	o->asleep = o->sleeps;
	if (k >= o->patience.spins && !o->sleeps)
		sched_yield();
	return 0;
}

int ofi_progress(struct ofi *o)
{
	bool any;
	int done = ofi_handle_completions(o, &any);

	if (done < 0 || (!any && wait_briefly(o)))
		return ST_FAILED;
	o->late_done += done;
	return ST_OK;
}

int ofi_flush(struct ofi *o)
{
	double until = 0;

	for (uint64_t look = 1; o->notes_out || o->unflushed; look++) {
		if (ofi_progress(o))
			return ST_FAILED;
		if (look % 64)
			continue;
		if (until && clock_wall() >= until)
			break;
		until = until > 0 ? until : clock_wall() + OFI_FLUSH_S;
	}
	return ST_OK;
}

/* ---- receives ---- */

int ofi_post_recvs(struct ofi *o, struct ofi_peer *p)
{
	uint64_t tag = ofi_tag(o, TAG_ROUND, ofi_rank_of(o, p));
	struct ofi_rail *rail = p->rail;

	while (p->recv_left && p->posted < p->depth) {
		struct ofi_op *op = ofi_op_get(o, KIND_RECV);
		const struct ofi_plan *x = p->recv;
		ssize_t err;

		if (!op)
			return ST_FAILED;
		op->peer = p;
		if (o->carrier == OFI_MSG)
			err = fi_recv(rail->end, x->buf, x->len, rail->desc, p->at, op);
		else
			err = fi_trecv(rail->end, x->buf, x->len, rail->desc, FI_ADDR_UNSPEC, tag,
				       0, op);
		if (__builtin_expect(err != 0, 0)) {
			ofi_op_free(o, op);
			o->starved = true;
			return err == -FI_EAGAIN
			       ? ST_OK : ofi_report_failure(o, rail, "posting a receive", err);
		}
		p->posted++;
		p->recv_left--;
		if (x->again && ++p->sets < x->repeat) {
			p->recv = x->again;
			continue;
		}
		p->sets = x->again ? 0 : p->sets;
		p->recv = x->next;
	}
	return ST_OK;
}

/* ---- completions ---- */

/*
 * Reports a failed completion and returns a negative number. If the failure only ends a search for
 * a stranger's message, reports nothing and returns 0.
 */
static int handle_failed_completion(struct ofi *o, const struct ofi_rail *rail)
{
	struct fi_cq_err_entry e = { .err = 0 };
	const char *provider = ofi_provider(o);
	ssize_t n = fi_cq_readerr(rail->cq, &e, 0);
	struct ofi_op *op = e.op_context;
	char text[128] = "";

	if (n < 0)
		return -ofi_report_failure(o, rail, "reading a failed completion", n);
	if (op && op->kind == KIND_SEARCH) {	/* the search found no message */
		ofi_end_search(o, NULL);
		ofi_op_free(o, op);
		return 0;
	}
	if (e.err == FI_ETRUNC)
		return -error_report("rank %d received a message that is longer than its buffer",
				     o->ep.job->rank);
	fi_cq_strerror(rail->cq, e.prov_errno, e.err_data, text, sizeof(text));
	if (op && op->kind <= KIND_RECV)
		return -error_report("rank %d: provider '%s': a %s rank %d failed: %s (%s)",
				     o->ep.job->rank, provider,
				     op->kind == KIND_RECV ? "receive from" : "send to",
				     ofi_rank_of(o, op->peer), fi_strerror(e.err), text);
	return -error_report("rank %d: provider '%s': a message failed: %s (%s)",
			     o->ep.job->rank, provider, fi_strerror(e.err), text);
}

/*
 * Handles a completion. Returns how many of the round's transfers are thereby complete, or a
 * negative number after a failure.
 */
static inline int handle_completion(struct ofi *o, const struct fi_cq_tagged_entry *e)
{
	struct ofi_op *op = e->op_context;
	struct ofi_peer *p;

	/* libfabric 1.11 sets FI_REMOTE_CQ_DATA at the writer too */
	if ((e->flags & (FI_REMOTE_CQ_DATA | FI_WRITE)) == FI_REMOTE_CQ_DATA) {
		/*
		 * the data minus the run's number is the sending rank, unless a stranger wrote the
		 * message
		 */
		uint64_t from = (e->data - o->run) & o->data_mask;

		if (__builtin_expect(from < (uint64_t)o->ep.job->size, 1))
			return arrivals_add(&o->peers[from].arrivals, 1);
		o->strangers++;
		return 0;
	}
	if (__builtin_expect(!op, 0))
		return -error_report("rank %d: provider '%s' completed an unknown operation",
				     o->ep.job->rank, ofi_provider(o));
	switch (op->kind) {
	case KIND_RECV:
		p = op->peer;
		ofi_op_free(o, op);
		p->posted--;
		if (p->recv_left && p->posted <= p->depth / 2 && ofi_post_recvs(o, p))
			return -1;
		return arrivals_add(&p->arrivals, 1);
	case KIND_SEND:
		o->sending--;
		ofi_op_free(o, op);
		return 1;
	case KIND_LAST:
		o->sending--;
		o->unflushed--;
		ofi_op_free(o, op);
		return 0;
	default:
		return ofi_handle_message(o, op, e) ? -1 : 0;
	}
}

static inline int handle_completions(struct ofi *o, bool *any)
{
	struct fi_cq_tagged_entry e[OFI_POLLED];
	const struct ofi_rail *rail = &o->rails[o->turn];
	int done = 0;
	ssize_t n = __builtin_expect(o->asleep, 0) ? fi_cq_sread(rail->cq, e, OFI_POLLED, NULL, 100)
						   : fi_cq_read(rail->cq, e, OFI_POLLED);

	*any = n > 0;
	o->turn = o->turn + 1 < o->nrails ? o->turn + 1 : 0;
	if (n == -FI_EAGAIN)
		return 0;
	if (__builtin_expect(n < 0, 0))
		return n == -FI_EAVAIL ? handle_failed_completion(o, rail)
				       : -ofi_report_failure(o, rail, "reading completions", n);
	o->idle = 0;
	o->idle_since = 0;
	o->asleep = o->refused = false;
	for (ssize_t i = 0; i < n; i++) {
		int k = handle_completion(o, &e[i]);

		if (__builtin_expect(k < 0, 0))
			return -1;
		done += k;
	}
	return done;
}

int ofi_handle_completions(struct ofi *o, bool *any)
{
	return handle_completions(o, any);
}

static inline int poll_cq(struct endpoint *ep)
{
	struct ofi *o = ofi_of(ep);
	bool any;
	int done = handle_completions(o, &any);

	if (__builtin_expect(done < 0 || o->failed, 0))
		return -1;
	done += o->late_done;
	o->late_done = 0;
	if (!any && !done && __builtin_expect(wait_briefly(o), 0))
		return -1;
	return done;
}

/*
 * Polls the last byte of a written message. The provider writes that byte after all others. No
 * message contains a byte of value 0, so any other value shows that the message is complete.
 */
static inline int poll_last_byte(struct endpoint *ep)
{
	struct ofi *o = ofi_of(ep);
	struct ofi_plan *plan = o->awaited;
	unsigned char byte = plan ? __atomic_load_n(plan->last, __ATOMIC_ACQUIRE) : 0;

	if (!byte)
		return poll_cq(ep);
	plan->arrived = byte;
	*plan->last = 0;
	o->awaited = NULL;
	o->idle = 0;
	return 1;
}

/* ---- sends ---- */

int ofi_handle_refusal(struct ofi *o, const struct ofi_rail *rail, ssize_t err)
{
	if (err != -FI_EAGAIN)
		return -ofi_report_failure(o, rail, "sending", err);
	o->refused = true;
	return ofi_progress(o) ? -1 : 0;
}

ROUND_INLINE ssize_t inject_message(struct ofi *o, const struct ofi_plan *x,
				    enum ofi_carrier carrier)
{
	struct fid_ep *end = x->peer->rail->end;
	const struct ofi_target *to = &x->target;
	fi_addr_t at = x->peer->at;

	if (carrier == OFI_TAGGED)
		return fi_tinject(end, x->buf, x->len, at, o->round_tag);
	if (carrier == OFI_MSG)
		return fi_inject(end, x->buf, x->len, at);
	if (to->last_byte)
		return fi_inject_write(end, x->buf, x->len, at, to->addr, to->key);
	return fi_inject_writedata(end, x->buf, x->len, o->data, at, to->addr, to->key);
}

ROUND_INLINE ssize_t send_message(struct ofi *o, const struct ofi_plan *x, struct ofi_op *op,
				  enum ofi_carrier carrier)
{
	struct fid_ep *end = x->peer->rail->end;
	void *desc = x->peer->rail->desc;
	const struct ofi_target *to = &x->target;
	fi_addr_t at = x->peer->at;

	if (carrier == OFI_TAGGED)
		return fi_tsend(end, x->buf, x->len, desc, at, o->round_tag, op);
	if (carrier == OFI_MSG)
		return fi_send(end, x->buf, x->len, desc, at, op);
	if (carrier == OFI_READ)
		return fi_read(end, x->buf, x->len, desc, at, to->addr, to->key, op);
	if (to->last_byte)
		return fi_write(end, x->buf, x->len, desc, at, to->addr, to->key, op);
	return fi_writedata(end, x->buf, x->len, desc, o->data, at, to->addr, to->key, op);
}

ROUND_INLINE int post_transfer(struct endpoint *ep, const struct xfer *x, enum ofi_carrier carrier)
{
	struct ofi *o = ofi_of(ep);
	struct ofi_plan *plan = &o->plans[x - o->xfers];
	struct ofi_op *op;
	ssize_t err;

	if (x->op == OP_RECV)
		return arrivals_expect(&plan->peer->arrivals);
	if (x->op == OP_EXPOSE)
		return 1;
	if (plan->inject && --plan->left) {
		while (__builtin_expect((err = inject_message(o, plan, carrier)) != 0, 0))
			if (ofi_handle_refusal(o, plan->peer->rail, err))
				return -1;
		return 1;
	}
	op = ofi_op_get(o, plan->inject ? KIND_LAST : KIND_SEND);
	if (__builtin_expect(!op, 0))
		return -1;
	op->peer = plan->peer;
	while (__builtin_expect((err = send_message(o, plan, op, carrier)) != 0, 0))
		if (ofi_handle_refusal(o, plan->peer->rail, err))
			return -1;
	o->sending++;
	o->unflushed += plan->inject;
	return plan->inject;
}

static inline int post_tagged(struct endpoint *ep, const struct xfer *x)
{
	return post_transfer(ep, x, OFI_TAGGED);
}

static inline int post_msg(struct endpoint *ep, const struct xfer *x)
{
	return post_transfer(ep, x, OFI_MSG);
}

static inline int post_write(struct endpoint *ep, const struct xfer *x)
{
	return post_transfer(ep, x, OFI_WRITE);
}

/* Posts a write of a round in which each step is a single message. */
static inline int post_single_write(struct endpoint *ep, const struct xfer *x)
{
	struct ofi *o = ofi_of(ep);
	struct ofi_plan *plan = &o->plans[x - o->xfers];

	if (!plan->last)
		return post_transfer(ep, x, OFI_WRITE);
	o->awaited = plan;
	return 0;
}

static inline int post_read(struct endpoint *ep, const struct xfer *x)
{
	return post_transfer(ep, x, OFI_READ);
}

/* ---- batches ---- */

static ssize_t send_with_flags(struct ofi *o, const struct ofi_plan *x, struct ofi_op *op,
			       uint64_t flags)
{
	struct ofi_rail *rail = x->peer->rail;
	struct iovec iov = { x->buf, x->len };
	struct fi_rma_iov target = { x->target.addr, x->len, x->target.key };
	const struct fi_msg_tagged tagged = { .msg_iov = &iov, .desc = &rail->desc, .iov_count = 1,
					      .addr = x->peer->at, .context = op,
					      .tag = o->round_tag };
	const struct fi_msg msg = { .msg_iov = &iov, .desc = &rail->desc, .iov_count = 1,
				    .addr = x->peer->at, .context = op };
	const struct fi_msg_rma rma = { .msg_iov = &iov, .desc = &rail->desc, .iov_count = 1,
					.addr = x->peer->at, .rma_iov = &target,
					.rma_iov_count = 1, .context = op,
					.data = o->data };

	if (o->carrier == OFI_TAGGED)
		return fi_tsendmsg(rail->end, &tagged, flags);
	if (o->carrier == OFI_MSG)
		return fi_sendmsg(rail->end, &msg, flags);
	if (o->carrier == OFI_WRITE)
		return fi_writemsg(rail->end, &rma, flags | FI_REMOTE_CQ_DATA);
	return fi_readmsg(rail->end, &rma, flags);
}

/*
 * Sends the message `held`. `more` is FI_MORE if another message of the batch follows, else 0.
 * Returns 0, or -1 after a failure.
 */
static int send_held_message(struct ofi *o, uint64_t more)
{
	const struct ofi_plan *x = o->held;
	uint64_t flags = more | FI_COMPLETION;
	struct ofi_op *op = ofi_op_get(o, KIND_SEND);
	ssize_t err;

	o->held = NULL;
	if (!op)
		return -1;
	op->peer = x->peer;
	if (o->options->completion == OFI_DELIVERY && o->carrier != OFI_READ)
		flags |= FI_DELIVERY_COMPLETE;
	while ((err = send_with_flags(o, x, op, flags)))
		if (ofi_handle_refusal(o, x->peer->rail, err))
			return -1;
	o->sending++;
	return 0;
}

/*
 * Posts a transfer of a batch. Every message of a batch except the final one has FI_MORE, so that
 * the doorbell rings once. Messages of a batch are not injected, because ofi_rxd loses the context
 * of an injected message with a completion.
 */
static inline int post_batched(struct endpoint *ep, const struct xfer *x)
{
	struct ofi *o = ofi_of(ep);
	struct ofi_plan *plan = &o->plans[x - o->xfers];

	if (x->op == OP_RECV)
		return arrivals_expect(&plan->peer->arrivals);
	if (x->op == OP_EXPOSE)
		return 1;
	if (o->held && send_held_message(o, FI_MORE))
		return -1;
	o->held = plan;
	return 0;
}

static inline void flush_batch(struct endpoint *ep)
{
	struct ofi *o = ofi_of(ep);

	if (o->held && send_held_message(o, 0))
		o->failed = true;
}

/* ---- rounds ---- */

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	struct ofi *o = ofi_of(ep);
	int err;

	if (o->batched)
		err = round_drive_host(ep, r, post_batched, flush_batch, poll_cq, seconds);
	else if (o->carrier == OFI_TAGGED)
		err = round_drive_host(ep, r, post_tagged, NULL, poll_cq, seconds);
	else if (o->carrier == OFI_MSG)
		err = round_drive_host(ep, r, post_msg, NULL, poll_cq, seconds);
	else if (o->last_byte && round_has_single_messages(r))
		err = round_drive_host(ep, r, post_single_write, NULL, poll_last_byte, seconds);
	else if (o->carrier == OFI_WRITE)
		err = round_drive_host(ep, r, post_write, NULL, poll_cq, seconds);
	else
		err = round_drive_host(ep, r, post_read, NULL, poll_cq, seconds);
	/*
	 * restores the last bytes of messages, and tells other ranks that this rank's reads have
	 * ended
	 */
	for (uint32_t i = 0; i < r->nxfers && !err; i++) {
		if (o->plans[i].last && !*o->plans[i].last)
			*o->plans[i].last = o->plans[i].arrived;
		if (r->xfers[i].op == OP_READ)
			err = ofi_send_note(o, o->plans[i].peer,
					    (struct ofi_note){ .news = NEWS_DONE });
	}
	for (uint32_t i = 0; i < r->nxfers && !err; i++) {
		struct ofi_peer *p = o->plans[i].peer;

		if (r->xfers[i].op != OP_EXPOSE)
			continue;
		p->dones_used++;
		while (!err && (int32_t)(p->dones - p->dones_used) < 0)
			err = ofi_progress(o);
	}
	return err ? err : ofi_flush(o);
}

/* ---- the backend ---- */

NETBENCH_EXPORT const struct backend netbench_backend = {
	.name = "ofi",
	.summary = "networks through libfabric: Slingshot, EFA, Omni-Path, InfiniBand, TCP",
	.abi = BACKEND_ABI,
	.caps = OFI_CAPS | CAP_READ | CAP_EACH,
	.max_ranks = 65536,
	.options = ofi_options,
	.options_size = sizeof(struct ofi_opts),
	.check = ofi_check,
	.open = ofi_open,
	.close = ofi_close,
	.alloc = ofi_alloc,
	.release = arena_release,
	.arm = ofi_arm,
	.run = run_round,
	.isend = ofi_isend,
	.irecv = ofi_irecv,
	.test = ofi_test,
	.wait = ofi_wait,
	.now = host_ticks,
	.compute = host_compute,
	.describe = ofi_describe,
	.list = ofi_list,
	.counters = ofi_counters,
};
