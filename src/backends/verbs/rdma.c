/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the parameters of the RDMA form (METHODS 1.6, eq. 34) between ranks 0 and 1, on the
 * queue pair that carries rounds:
 *
 * o_wqe, o_db: posting a chain of B writes takes o_db + B o_wqe. o_wqe is the slope of that time
 *   over B, and o_db its intercept.
 * o_cqe: the time of the poll that finds a completion.
 * g: the time from posting one write, or one read, to its completion, minus o_wqe, o_db and o_cqe.
 * L, L_ack: for a write, g - o_nsnd is L + L_ack, and each is half of that. For a read, g - 2
 *   o_nsnd is 2 L.
 * o_nsnd, G: from the time between messages of 16 B and of 64 KiB, with a wide window and long
 *   batches.
 * o_rcv, o_free: for sends, the time to poll a receive's completion and the time to post a receive.
 *
 * Some parameters may be undetermined (NaN). o_nsnd is undetermined if, with messages of 16 B, the
 * processor is as slow as the device or slower: then it hides the device's time. A difference that
 * is 0 or negative is undetermined. o_nrcv is part of L. With immediate data, the receiving
 * processor's times are not measured.
 */
#include <math.h>

#include "backends/verbs/connect.h"
#include "backends/verbs/msg.h"
#include "backends/verbs/open.h"
#include "backends/verbs/rdma.h"
#include "backends/verbs/verbs.h"
#include "base/line.h"
#include "base/sort.h"
#include "model/rdma.h"

#define SHORT 16		/* length of a short message, bytes */
#define LONG (64U << 10)	/* length of a long message, bytes */
#define BATCH 16		/* number of messages that one chain posts */
/* largest number of messages in flight while the message rate is measured */
#define FLIGHT 128
#define TIMES 101		/* number of repetitions, of which the median is taken */
/* number of receives measured; fewer if the receive queue holds fewer */
#define RECVS 128
#define MARK ((uint64_t)0xf << 60)	/* wr_id of the work requests in this file */

static double elapsed_s(double start)
{
	return (clock_ticks() - start) * host_clock.tick_s;
}

/*
 * Returns the smaller of `wish` and `depth`, rounded down to whole batches. `depth` must be at
 * least one batch.
 */
static int round_to_whole_batches(int wish, uint32_t depth)
{
	return (wish < (int)depth ? wish : (int)depth) / BATCH * BATCH;
}

/* Returns the final LONG bytes of the arena. No round uses these bytes. */
static char *spare_memory(const struct verbs *v)
{
	return v->arena.at + v->arena.len - LONG;
}

/*
 * Returns the operation with which a sender's parameters are measured: a read with `--op read`,
 * else a write.
 */
static enum ibv_wr_opcode sender_opcode(const struct verbs *v)
{
	return v->options->op == VERBS_READ ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
}

/* Returns t if it is positive, else NaN (not determined). */
static double positive_or_nan(double t)
{
	return t > 0 ? t : NAN;
}

/* A chain of messages that is posted repeatedly. Only the chain's final message is signalled. */
struct chain {
	struct ibv_send_wr wr[BATCH];
	struct ibv_sge sge;
};

static void make_chain(struct verbs *v, struct chain *c, const struct verbs_buffer *target,
		       uint32_t len, int n, enum ibv_wr_opcode opcode)
{
	bool inlined = len <= v->inlined && opcode != IBV_WR_RDMA_READ;

	memset(c, 0, sizeof(*c));
	c->sge = (struct ibv_sge){ (uintptr_t)spare_memory(v), len, v->mr->lkey };
	for (int i = 0; i < n; i++) {
		struct ibv_send_wr *wr = &c->wr[i];

		*wr = (struct ibv_send_wr){ .wr_id = MARK, .next = i + 1 < n ? wr + 1 : NULL,
					    .sg_list = &c->sge, .num_sge = 1,
					    .opcode = opcode };
		wr->send_flags = (inlined ? IBV_SEND_INLINE : 0) |
				 (i + 1 == n ? IBV_SEND_SIGNALED : 0);
		if (opcode != IBV_WR_SEND) {
			wr->wr.rdma.remote_addr = target->addr;
			wr->wr.rdma.rkey = v->cards[1].rkey;
		}
	}
}

/*
 * Waits for `n` completions. Unless `poll_time` is NULL, stores in *poll_time the duration, in
 * ticks, of the poll that found the final completion.
 */
static int wait_for_completions(struct verbs *v, int n, double *poll_time)
{
	struct ibv_wc wc;

	while (n > 0) {
		double before = clock_ticks();
		int got = ibv_poll_cq(v->cq, 1, &wc);

		if (got < 0)
			return error_report("polling a completion queue failed");
		if (!got && verbs_wait_briefly(v, v->cq))
			return ST_FAILED;
		if (got && wc.status != IBV_WC_SUCCESS)
			return -verbs_completion_error(v, &wc, 1 - v->ep.job->rank,
						       "a message to");
		if (got && poll_time)
			*poll_time = clock_ticks() - before;
		n -= got;
		v->idle = got ? 0 : v->idle;
	}
	return ST_OK;
}

static int post_chain(struct verbs *v, struct chain *c)
{
	struct ibv_send_wr *bad;

	return verbs_check_call(v, "posting work requests",
				ibv_post_send(v->peers[1].data, c->wr, &bad));
}

/*
 * Median times in s. post: time to post n messages. whole: time from before their posting until
 * their completion. poll_time: duration of the poll that finds the completion.
 */
struct costs {
	double post, whole, poll_time;
};

static int measure_posting(struct verbs *v, const struct verbs_buffer *target, int n,
			   struct costs *cost)
{
	double post[TIMES], whole[TIMES], poll_time[TIMES] = { 0 };
	struct chain c;

	make_chain(v, &c, target, SHORT, n, sender_opcode(v));
	for (int i = 0; i < TIMES; i++) {
		double start = clock_ticks();

		if (post_chain(v, &c))
			return ST_FAILED;
		post[i] = elapsed_s(start);
		if (wait_for_completions(v, 1, &poll_time[i]))
			return ST_FAILED;
		whole[i] = elapsed_s(start);
		poll_time[i] *= host_clock.tick_s;
	}
	*cost = (struct costs){ median(post, TIMES), median(whole, TIMES),
				median(poll_time, TIMES) };
	return ST_OK;
}

/*
 * Measures the time between successive messages, and stores it in *gap, in s. Posts messages in
 * batches. Keeps FLIGHT messages in flight, or fewer if the send queue holds fewer. Returns ST_OK
 * or ST_FAILED.
 */
static int measure_message_gap(struct verbs *v, const struct verbs_buffer *target, uint32_t len,
			       double *gap)
{
	int batches = len == SHORT ? 256 : 16,
	    flight = round_to_whole_batches(FLIGHT, v->tx_depth) / BATCH;
	double start;
	struct chain c;

	make_chain(v, &c, target, len, BATCH, sender_opcode(v));
	start = clock_ticks();
	for (int i = 0; i < batches; i++)
		if ((i >= flight && wait_for_completions(v, 1, NULL)) || post_chain(v, &c))
			return ST_FAILED;
	if (wait_for_completions(v, batches < flight ? batches : flight, NULL))
		return ST_FAILED;
	*gap = elapsed_s(start) / (batches * BATCH);
	return ST_OK;
}

/* ---- the two ranks ---- */

static int measure_sender(struct verbs *v, const struct verbs_buffer *target, struct rdma *p)
{
	static const double batches[] = { 1, 2, 4, 8, 16 };
	double post[5], short_gap, long_gap, wqe, db, nic, G;
	struct linear posting;
	struct costs one = { 0 }, cost;

	for (int i = 0; i < 5; i++) {
		if (measure_posting(v, target, (int)batches[i], &cost))
			return ST_FAILED;
		post[i] = cost.post;
		one = i ? one : cost;
	}
	if (measure_message_gap(v, target, SHORT, &short_gap) ||
	    measure_message_gap(v, target, LONG, &long_gap))
		return ST_FAILED;
	posting = line_least_squares(batches, post, NULL, 5);
	wqe = fmax(0, posting.b);
	db = fmax(0, posting.a);
	nic = short_gap > 1.1 * (wqe + (db + one.poll_time) / BATCH) ? short_gap : 0;
	G = long_gap / (LONG - 1);
	p->g = positive_or_nan(one.whole - wqe - db - one.poll_time - (SHORT - 1) * G);
	p->o_wqe = positive_or_nan(wqe);
	p->o_db = positive_or_nan(db);
	p->o_cqe = positive_or_nan(one.poll_time);
	p->o_nsnd = positive_or_nan(nic);
	p->o_nrcv = NAN;
	p->G = positive_or_nan(G);
	p->L = positive_or_nan((p->g - (p->read ? 2 : 1) * nic) / 2);
	p->L_ack = p->read ? NAN : p->L;
	return ST_OK;
}

/* Rank 0: measures a sender's parameters, then sends the messages that rank 1 receives. */
static int run_sender(struct verbs *v, struct rdma *found)
{
	struct verbs_peer *p = &v->peers[1];
	struct verbs_buffer target;
	struct chain c;

	if (verbs_receive_target(v, p, &target) || measure_sender(v, &target, found))
		return ST_FAILED;
	if (v->options->op == VERBS_SEND) {
		make_chain(v, &c, NULL, SHORT, BATCH, IBV_WR_SEND);
		if (verbs_await_notices(v, &p->armed, ++p->armed_used))
			return ST_FAILED;
		for (uint32_t i = 0; i < target.repeat / BATCH; i++)
			if (post_chain(v, &c) || wait_for_completions(v, 1, NULL))
				return ST_FAILED;
	}
	return verbs_send_notice(v, p, MSG_DONE);
}

/*
 * Rank 1: tells rank 0 the address of this rank's buffer and the number of receives, then measures
 * a receiver's parameters.
 */
static int run_receiver(struct verbs *v, struct rdma *mine)
{
	int n = round_to_whole_batches(RECVS, v->rx_depth), err = 0;
	struct verbs_buffer place = { .addr = (uintptr_t)spare_memory(v), .len = LONG,
				     .repeat = (uint32_t)n, .slots = 1 };
	struct ibv_sge sge = { (uintptr_t)spare_memory(v), SHORT, v->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = MARK, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct timespec nap = { 0, 5000000L };
	struct verbs_peer *p = &v->peers[0];
	bool receives = v->options->op == VERBS_SEND;
	double start;

	if ((receives && verbs_grant_access(v, p->data, IBV_ACCESS_REMOTE_WRITE)) ||
	    verbs_send_target(v, p, &place))
		return ST_FAILED;
	/* posts the receives one by one, as a program does that returns its buffers singly */
	if (receives) {
		start = clock_ticks();
		for (int i = 0; i < n && !err; i++)
			err = ibv_post_recv(p->data, &wr, &bad);
		mine->o_free = positive_or_nan(elapsed_s(start) / n);
		if (verbs_check_call(v, "posting receives", err) ||
		    verbs_send_notice(v, p, MSG_ARMED))
			return ST_FAILED;
	}
	if (verbs_await_notices(v, &p->dones, ++p->dones_used))
		return ST_FAILED;
	if (!receives)
		return ST_OK;
	if (verbs_grant_access(v, p->data, verbs_round_access(v)))
		return ST_FAILED;
	nanosleep(&nap, NULL);
	start = clock_ticks();
	if (wait_for_completions(v, n, NULL))
		return ST_FAILED;
	mine->o_rcv = positive_or_nan(elapsed_s(start) / n);
	return ST_OK;
}

int verbs_rdma(struct endpoint *ep, struct rdma *found)
{
	struct verbs *v = verbs_of(ep);
	int me = ep->job->rank;
	const struct rdma *all;

	*found = (struct rdma){ .read = false };
	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		found->parameter[i] = NAN;
	if (v->options->transport != VERBS_RC)
		return ST_OK;
	*found = (struct rdma){ .read = v->options->op == VERBS_READ };
	if (v->options->op == VERBS_WRITE_IMM)
		found->o_rcv = found->o_free = NAN;
	if (ep->job->size < 2)
		return error_report("the parameters of the RDMA form can only be measured "
				    "between two ranks");
	/* a failure ends the job, because the other rank waits for messages */
	if (me < 2 && (verbs_connect(v, 1 - me) ||
		       (me ? run_receiver(v, found) : run_sender(v, found))))
		return ST_FAILED;
	all = ep->job->kind->allgather(ep->job, found, sizeof(*found));
	found->o_rcv = all[1].o_rcv;
	found->o_free = all[1].o_free;
	return ST_OK;
}
