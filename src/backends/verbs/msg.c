/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends and receives messages that may arrive at any time. These are the messages of the message
 * operations, and the messages with which ranks prepare a round. They use RC queue pairs, which
 * share one receive queue.
 *
 * Short messages are eager: the sender copies each into a send buffer, and the receiver copies it
 * out of a receive buffer. Long messages use a rendezvous: the sender sends only the message's
 * address. The receiver reads the message from the sender's memory as soon as a receive matches. It
 * then tells the sender that the sender's buffer is free.
 */
#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/open.h"
#include "backends/verbs/verbs.h"

#define EAGER 4096		/* longest eager message, bytes */
#define INS 256			/* number of receive buffers in the shared receive queue */
/* number of receive buffers for each rank if there is no shared receive queue */
#define INS_EACH 16
#define OUTS 64			/* number of send buffers */

/* The head at the start of every message. */
struct verbs_head {
	uint32_t kind, from;
	/*
	 * len: bytes of the message. addr (rendezvous): address of the message. id (rendezvous):
	 * address of the sender's request.
	 */
	uint64_t len, addr, id;
	uint32_t rkey, pad;
};

/* A send buffer. */
struct verbs_out {
	struct verbs_out *next;
	struct verbs_peer *to;
	struct verbs_head head;
	char content[EAGER];
};

/* A receive buffer. */
struct verbs_in {
	struct verbs_head head;
	char content[EAGER];
};

/* A message that arrived before its receive was posted. An eager message's content is also kept. */
struct early {
	struct arrival arrival;
	struct verbs_head head;
	char content[];
};

/*
 * The subject of a completion on the queue pairs for messages: a receive buffer, a send buffer, or
 * the request of a read. This tag is in the low bits of wr_id.
 */
enum tag { TAG_IN = 1, TAG_OUT = 2, TAG_READ = 3, TAG_MASK = 7 };

static struct verbs_in *receive_buffers(const struct verbs *v)
{
	return (struct verbs_in *)v->msg_mem;
}

/* Returns the request whose read has this wr_id. */
static struct request *read_request(uint64_t id)
{
	return (struct request *)(uintptr_t)(id & ~(uint64_t)TAG_MASK);
}

/* ---- buffers ---- */

int verbs_post_buffer(struct verbs *v, struct ibv_qp *qp, uint64_t id, void *at, uint32_t len,
		      uint32_t lkey)
{
	struct ibv_sge sge = { (uintptr_t)at, len, lkey };
	struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 }, *bad;

	return verbs_check_call(v, "posting receives", qp ? ibv_post_recv(qp, &wr, &bad)
						     : ibv_post_srq_recv(v->srq, &wr, &bad));
}

static int post_in_buffer(struct verbs *v, struct verbs_peer *p, size_t i)
{
	return verbs_post_buffer(v, v->srq ? NULL : p->msg, i << 3 | TAG_IN, &receive_buffers(v)[i],
				 sizeof(struct verbs_in), v->msg_mr->lkey);
}

int verbs_post_own_buffers(struct verbs *v, struct verbs_peer *p)
{
	size_t first = (size_t)verbs_rank_of(v, p) * INS_EACH;
	int err = ST_OK;

	for (size_t i = 0; i < INS_EACH && !err && !v->srq; i++)
		err = post_in_buffer(v, p, first + i);
	return err;
}

int verbs_open_msgs(struct verbs *v)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = INS, .max_sge = 1 } };
	size_t in_len, len;
	int err = ST_OK;

	v->srq = v->dev.max_srq > 0 ? ibv_create_srq(v->pd, &attr) : NULL;
	in_len = (v->srq ? INS : INS_EACH * (size_t)v->ep.job->size) * sizeof(struct verbs_in);
	len = in_len + OUTS * sizeof(struct verbs_out);
	if (posix_memalign((void **)&v->msg_mem, BACKEND_PAGE, len))
		return error_report("no memory for messages");
	memset(v->msg_mem, 0, len);
	v->msg_mr = ibv_reg_mr(v->pd, v->msg_mem, len, IBV_ACCESS_LOCAL_WRITE);
	if (!v->msg_mr)
		return verbs_report_failure(v, "registering memory", errno);
	v->outs = (struct verbs_out *)(v->msg_mem + in_len);
	for (size_t i = 0; i < OUTS; i++) {
		v->outs[i].next = v->free_out;
		v->free_out = &v->outs[i];
	}
	for (size_t i = 0; i < INS && !err && v->srq; i++)
		err = post_in_buffer(v, NULL, i);
	return err;
}

void verbs_close_msgs(struct verbs *v)
{
	for (struct arrival *a; (a = match_early(&v->match, PEER_ANY));)
		free(a);
	for (int i = 0; i < v->nother; i++)
		ibv_dereg_mr(v->other[i]);
	if (v->srq)
		ibv_destroy_srq(v->srq);
	if (v->msg_mr)
		ibv_dereg_mr(v->msg_mr);
	free(v->msg_mem);
}

static bool region_contains(const struct ibv_mr *mr, const char *at, size_t len)
{
	return at >= (char *)mr->addr && at + len <= (char *)mr->addr + mr->length;
}

/*
 * Returns the memory region that contains buf. Registers memory outside the arena on first use.
 * Returns NULL after reporting a failure.
 */
static struct ibv_mr *find_region(struct verbs *v, const void *buf, size_t len)
{
	struct ibv_mr *mr = NULL;

	if (region_contains(v->mr, buf, len))
		return v->mr;
	for (int i = 0; i < v->nother; i++)
		if (region_contains(v->other[i], buf, len))
			return v->other[i];
	errno = ENOBUFS;
	if (v->nother < 32)
		mr = ibv_reg_mr(v->pd, (void *)(uintptr_t)buf, len,
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	if (mr)
		v->other[v->nother++] = mr;
	else
		verbs_report_failure(v, "registering memory", errno);
	return mr;
}

/* ---- sending ---- */

/*
 * Handles completions of messages. If there are none, waits for a moment. Returns ST_OK or
 * ST_FAILED.
 */
static int progress_or_wait(struct verbs *v)
{
	bool any;

	return verbs_progress(v, &any) || (!any && verbs_wait_briefly(v, v->msg_cq)) ? ST_FAILED
										     : ST_OK;
}

/*
 * Waits until p's send queue has room. With `buffer`, also waits until a send buffer is free.
 * Returns ST_OK or ST_FAILED.
 */
static int wait_for_room(struct verbs *v, struct verbs_peer *p, bool buffer)
{
	int err = ST_OK;

	while (!err && (p->msg_used == VERBS_MSG_DEPTH || (buffer && !v->free_out)))
		err = progress_or_wait(v);
	return err;
}

static void free_out_buffer(struct verbs *v, struct verbs_out *out)
{
	out->to->msg_used--;
	out->next = v->free_out;
	v->free_out = out;
}

/* Sends p a message: a head and its content. Returns ST_OK or ST_FAILED. */
static int send_msg(struct verbs *v, struct verbs_peer *p, struct verbs_head head,
		    const void *content, size_t len)
{
	struct verbs_out *out;
	struct ibv_sge sge;
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
				  .send_flags = IBV_SEND_SIGNALED }, *bad;
	int err = p->connected || head.kind == MSG_READY ? ST_OK
							 : verbs_connect(v, verbs_rank_of(v, p));

	if (err || wait_for_room(v, p, true))
		return ST_FAILED;
	out = v->free_out;
	v->free_out = out->next;
	head.from = (uint32_t)v->ep.job->rank;
	out->to = p;
	out->head = head;
	memcpy(out->content, content, len);
	sge = (struct ibv_sge){ (uintptr_t)&out->head, (uint32_t)(sizeof(head) + len),
				v->msg_mr->lkey };
	wr.wr_id = (uint64_t)(out - v->outs) << 3 | TAG_OUT;
	p->msg_used++;
	err = ibv_post_send(p->msg, &wr, &bad);
	if (!err)
		return ST_OK;
	free_out_buffer(v, out);
	return verbs_handle_failed_post(v, p, "posting a message", err);
}

int verbs_send_notice(struct verbs *v, struct verbs_peer *p, enum verbs_msg kind)
{
	return send_msg(v, p, (struct verbs_head){ .kind = kind }, "", 0);
}

int verbs_send_target(struct verbs *v, struct verbs_peer *p, const struct verbs_buffer *x)
{
	return send_msg(v, p, (struct verbs_head){ .kind = MSG_TARGET, .len = sizeof(*x) }, x,
		    sizeof(*x));
}

/* ---- receiving ---- */

/*
 * Copies an eager message into the buffer of its receive, or starts to read a long message from the
 * sender's memory. Returns ST_OK or ST_FAILED.
 */
static int deliver_message(struct verbs *v, struct request *r, const struct verbs_head *h,
		   const void *content)
{
	struct verbs_peer *p = &v->peers[h->from];
	struct ibv_mr *mr;
	struct ibv_sge sge;
	struct ibv_send_wr wr = { .wr_id = (uintptr_t)r | TAG_READ, .sg_list = &sge, .num_sge = 1,
				  .opcode = IBV_WR_RDMA_READ, .send_flags = IBV_SEND_SIGNALED,
				  .wr.rdma = { h->addr, h->rkey } }, *bad;

	if (h->len > r->room)
		return error_report("rank %d received %llu bytes into a buffer of %zu",
				    v->ep.job->rank, (unsigned long long)h->len, r->room);
	r->len = h->len;
	r->peer = (int)h->from;
	if (h->kind != MSG_RENDEZVOUS) {
		memcpy(r->buf, content, h->len);
		r->done = true;
		return ST_OK;
	}
	mr = find_region(v, r->buf, h->len);
	if (!mr || wait_for_room(v, p, false))
		return ST_FAILED;
	sge = (struct ibv_sge){ (uintptr_t)r->buf, (uint32_t)h->len, mr->lkey };
	r->id = h->id;		/* address of the sender's request */
	p->msg_used++;
	return verbs_check_call(v, "posting a read", ibv_post_send(p->msg, &wr, &bad));
}

/*
 * Delivers a message to its receive, or keeps a copy until that receive is posted. Returns ST_OK or
 * ST_FAILED.
 */
static int match_message(struct verbs *v, const struct verbs_in *in)
{
	struct request *r = match_take(&v->match, &v->peers[in->head.from].msgs);
	size_t len = in->head.kind == MSG_EAGER ? in->head.len : 0;
	struct early *early;

	if (r)
		return deliver_message(v, r, &in->head, in->content);
	early = malloc(sizeof(*early) + len);
	if (!early)
		return error_report("no memory for a message");
	early->arrival.from = (int)in->head.from;
	early->head = in->head;
	memcpy(early->content, in->content, len);
	match_keep(&v->match, &early->arrival);
	return ST_OK;
}

static int handle_message(struct verbs *v, const struct verbs_in *in)
{
	struct verbs_peer *p = &v->peers[in->head.from];
	enum verbs_msg kind = (enum verbs_msg)in->head.kind;
	struct verbs_buffer *targets;

	if (kind == MSG_EAGER || kind == MSG_RENDEZVOUS)
		return match_message(v, in);
	if (kind == MSG_TARGET) {
		targets = list_grow(p->targets, p->ntargets, sizeof(*targets));
		if (!targets)
			return error_report("no memory for the transfers of a round");
		p->targets = targets;
		memcpy(&targets[p->ntargets++], in->content, sizeof(*targets));
	}
	if (kind == MSG_ASK)
		return send_msg(v, p, (struct verbs_head){ .kind = MSG_SENT, .id = p->sent }, "",
				0);
	p->armed += kind == MSG_ARMED;
	p->dones += kind == MSG_DONE;
	p->connected |= kind == MSG_READY;
	if (kind == MSG_FREE)
		/* completes the request of the isend that sent the message */
		((struct request *)(uintptr_t)in->head.id)->done = true;
	if (kind == MSG_SENT) {
		p->ask = VERBS_ANSWERED;
		p->confirmed = (uint32_t)in->head.id;
		p->answered = clock_wall();
	}
	return ST_OK;
}

/*
 * Returns true if a message's sender, kind and length fit the queue pair on which the message came.
 * Otherwise counts the message as a stranger's.
 */
static bool is_valid_message(struct verbs *v, const struct ibv_wc *wc, const struct verbs_in *in)
{
	const struct verbs_head *h = &in->head;
	bool here = h->from < (uint32_t)v->ep.job->size;
	const struct ibv_qp *qp = here ? v->peers[h->from].msg : NULL;
	uint64_t content = h->kind == MSG_EAGER	   ? h->len
			   : h->kind == MSG_TARGET ? sizeof(struct verbs_buffer) : 0;
	const struct claim claim = { v->run, h->from, wc->byte_len,
				     qp && qp->qp_num == wc->qp_num && h->kind <= MSG_SENT &&
				     content == wc->byte_len - sizeof(*h) };
	const struct expected expected = { v->run, 0, (uint64_t)v->ep.job->size, sizeof(*h),
					   sizeof(*in) };

	return job_accepts_claim(v->ep.job, &v->strangers, &claim, &expected);
}

/*
 * Handles a failed completion. If the run continues without the peer (CAP_LOSS), frees the peer's
 * buffers for use by other ranks. Returns ST_OK or ST_FAILED.
 */
static int handle_failure(struct verbs *v, const struct ibv_wc *wc)
{
	const struct verbs_peer *p = verbs_peer_of_qp(v, wc->qp_num);
	enum tag tag = wc->wr_id & TAG_MASK;
	int peer = p ? verbs_rank_of(v, p) : v->ep.job->rank, err = ST_OK;

	if (tag == TAG_READ)
		peer = read_request(wc->wr_id)->peer;
	if (tag == TAG_OUT) {
		peer = verbs_rank_of(v, v->outs[wc->wr_id >> 3].to);
		free_out_buffer(v, &v->outs[wc->wr_id >> 3]);
	} else if (tag == TAG_IN && v->srq && verbs_survives_loss(v)) {
		err = post_in_buffer(v, NULL, wc->wr_id >> 3);
	}
	return verbs_completion_error(v, wc, peer, "a message between it and") ? ST_FAILED : err;
}

static int handle_completion(struct verbs *v, const struct ibv_wc *wc)
{
	enum tag tag = wc->wr_id & TAG_MASK;
	size_t i = wc->wr_id >> 3;
	struct verbs_peer *p;
	struct request *r;

	if (wc->status != IBV_WC_SUCCESS)
		return handle_failure(v, wc);
	if (tag == TAG_IN) {
		if (is_valid_message(v, wc, &receive_buffers(v)[i]) &&
		    handle_message(v, &receive_buffers(v)[i]))
			return ST_FAILED;
		return post_in_buffer(v, v->srq ? NULL : &v->peers[i / INS_EACH], i);
	}
	if (tag == TAG_OUT) {
		free_out_buffer(v, &v->outs[i]);
		return ST_OK;
	}
	/* the read is complete, so the sender may reuse its buffer */
	r = read_request(wc->wr_id);
	p = &v->peers[r->peer];
	p->msg_used--;
	r->done = true;
	return send_msg(v, p, (struct verbs_head){ .kind = MSG_FREE, .id = r->id }, "", 0);
}

/*
 * This function may call itself while it waits. The inner call begins with the completion after
 * that which the outer call is handling.
 */
int verbs_progress(struct verbs *v, bool *any)
{
	int err = ST_OK;

	*any = false;
	if (v->next_taken == v->ntaken) {
		v->next_taken = 0;
		v->ntaken = ibv_poll_cq(v->msg_cq, VERBS_POLLED, v->taken);
	}
	if (v->ntaken < 0)
		return error_report("polling a completion queue failed");
	while (v->next_taken < v->ntaken && !err) {
		struct ibv_wc wc = v->taken[v->next_taken++];

		*any = true;
		err = handle_completion(v, &wc);
	}
	if (*any) {
		v->idle = 0;
		v->idle_since = 0;
	} else if (!err && (v->events || v->idle % 64 == 0)) {
		err = verbs_answer_hellos(v);
	}
	return err;
}

int verbs_await_notices(struct verbs *v, const uint32_t *count, uint32_t n)
{
	int err = ST_OK;

	while (!err && (int32_t)(*count - n) < 0)
		err = progress_or_wait(v);
	return err;
}

int verbs_receive_target(struct verbs *v, struct verbs_peer *p, struct verbs_buffer *target)
{
	if (verbs_await_notices(v, &p->ntargets, 1))
		return ST_FAILED;
	*target = p->targets[0];
	memmove(p->targets, p->targets + 1, --p->ntargets * sizeof(*target));
	return ST_OK;
}

/* ---- message operations ---- */

int verbs_isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r)
{
	struct verbs *v = verbs_of(ep);
	struct verbs_peer *p = &v->peers[peer];
	struct ibv_mr *mr;

	request_init(r, (void *)(uintptr_t)buf, len);
	if (len <= EAGER) {
		r->done = true;
		return send_msg(v, p, (struct verbs_head){ .kind = MSG_EAGER, .len = len }, buf,
				len);
	}
	mr = find_region(v, buf, len);
	if (!mr)
		return ST_FAILED;
	return send_msg(v, p, (struct verbs_head){ .kind = MSG_RENDEZVOUS, .len = len,
					       .addr = (uintptr_t)buf, .rkey = mr->rkey,
					       .id = (uintptr_t)r }, "", 0);
}

int verbs_irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r)
{
	struct verbs *v = verbs_of(ep);
	struct early *e = (struct early *)match_early(&v->match, peer);
	int err = ST_OK;

	request_init(r, buf, len);
	if (e)
		err = deliver_message(v, r, &e->head, e->content);
	else
		match_post(&v->match, peer == PEER_ANY ? NULL : &v->peers[peer].msgs, r);
	free(e);
	return err;
}

int verbs_test(struct endpoint *ep, struct request *r)
{
	bool any;

	return r->done ? ST_OK : verbs_progress(verbs_of(ep), &any);
}

int verbs_wait(struct endpoint *ep, struct request *r)
{
	int err = ST_OK;

	while (!r->done && !err)
		err = progress_or_wait(verbs_of(ep));
	return err;
}
