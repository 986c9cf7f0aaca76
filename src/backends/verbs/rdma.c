/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of the RDMA form (METHODS 1.6, eq. 34) between ranks 0 and 1, measured on the
 * queue pair that carries rounds:
 *
 * o_wqe, o_db: posting a chain of B writes takes o_db + B o_wqe, so they are slope and intercept.
 * o_cqe: time of the poll that finds a completion.
 * g: the time from posting one write to its completion, less the above; of a read the same.
 * L, L_ack: what o_nsnd leaves of g is L + L_ack. Each is half of it. Of a read the time is 2 L.
 * o_nsnd, G: time between messages of 16 B and of 64 KiB, with a wide window and long batches.
 * o_rcv, o_free: of sends, time of polling a receive's completion and of posting a receive.
 *
 * Some are not determined (NaN). o_nsnd is not if the processor takes as long for 16 B, which hides
 * the device. A value is not if it is 0 or less beside the others. o_nrcv is part of L. With
 * immediate data the receiving processor's times are not measured.
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

#define SHORT 16
#define LONG (64U << 10)
#define BATCH 16
#define FLIGHT 128		/* most messages in flight at the plateau */
#define TIMES 101
#define RECVS 128		/* if the receive queue holds them */
#define MARK ((uint64_t)0xf << 60)

static double seconds_since(double start)
{
	return (clock_ticks() - start) * host_clock.tick_s;
}

/* `wish` messages, or fewer if the queue holds fewer, in whole batches; at least one batch. */
static int fitting(int wish, uint32_t depth)
{
	return (wish < (int)depth ? wish : (int)depth) / BATCH * BATCH;
}

/* Memory at the end of the arena that no round uses. */
static char *spare_memory(const struct verbs *v)
{
	return v->arena.at + v->arena.len - LONG;
}

/* The operation that a sender's parameters are measured with: writes, or reads with `--op read`. */
static enum ibv_wr_opcode one_sided(const struct verbs *v)
{
	return v->options->op == VERBS_READ ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
}

/* A time of 0 or less is not determined. */
static double determined(double t)
{
	return t > 0 ? t : NAN;
}

/* A chain of messages, posted repeatedly. Only its last message is signalled. */
struct chain {
	struct ibv_send_wr wr[BATCH];
	struct ibv_sge sge;
};

static void make_chain(struct verbs *v, struct chain *c, const struct verbs_place *target,
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

/* Waits for `n` completions; *look, if not NULL: ticks of the poll that found the last. */
static int await_cqes(struct verbs *v, int n, double *look)
{
	struct ibv_wc wc;

	while (n > 0) {
		double before = clock_ticks();
		int got = ibv_poll_cq(v->cq, 1, &wc);

		if (got < 0)
			return error_report("polling a completion queue failed");
		if (!got && verbs_idle(v, v->cq))
			return ST_FAILED;
		if (got && wc.status != IBV_WC_SUCCESS)
			return -verbs_completion_failed(v, &wc, 1 - v->ep.job->rank,
							"a message to");
		if (got && look)
			*look = clock_ticks() - before;
		n -= got;
		v->idle = got ? 0 : v->idle;
	}
	return ST_OK;
}

static int post_chain(struct verbs *v, struct chain *c)
{
	struct ibv_send_wr *bad;

	return verbs_judge(v, "posting work requests",
			   ibv_post_send(v->peers[1].data, c->wr, &bad));
}

/* Medians: posting n messages, from there to their completion, the poll that finds it; s. */
struct costs {
	double post, whole, look;
};

static int time_posting(struct verbs *v, const struct verbs_place *target, int n,
			struct costs *cost)
{
	double post[TIMES], whole[TIMES], look[TIMES] = { 0 };
	struct chain c;

	make_chain(v, &c, target, SHORT, n, one_sided(v));
	for (int i = 0; i < TIMES; i++) {
		double start = clock_ticks();

		if (post_chain(v, &c))
			return ST_FAILED;
		post[i] = seconds_since(start);
		if (await_cqes(v, 1, &look[i]))
			return ST_FAILED;
		whole[i] = seconds_since(start);
		look[i] *= host_clock.tick_s;
	}
	*cost = (struct costs){ median(post, TIMES), median(whole, TIMES), median(look, TIMES) };
	return ST_OK;
}

/* Time between messages with FLIGHT of them in flight, or fewer, posted in batches; s. */
static int time_plateau(struct verbs *v, const struct verbs_place *target, uint32_t len,
			double *gap)
{
	int batches = len == SHORT ? 256 : 16, flight = fitting(FLIGHT, v->tx_depth) / BATCH;
	double start;
	struct chain c;

	make_chain(v, &c, target, len, BATCH, one_sided(v));
	start = clock_ticks();
	for (int i = 0; i < batches; i++)
		if ((i >= flight && await_cqes(v, 1, NULL)) || post_chain(v, &c))
			return ST_FAILED;
	if (await_cqes(v, batches < flight ? batches : flight, NULL))
		return ST_FAILED;
	*gap = seconds_since(start) / (batches * BATCH);
	return ST_OK;
}

/* ---- the two ranks ---- */

static int measure_sender(struct verbs *v, const struct verbs_place *target, struct rdma *p)
{
	static const double batches[] = { 1, 2, 4, 8, 16 };
	double post[5], short_gap, long_gap, wqe, db, nic, G;
	struct linear posting;
	struct costs one = { 0 }, cost;

	for (int i = 0; i < 5; i++) {
		if (time_posting(v, target, (int)batches[i], &cost))
			return ST_FAILED;
		post[i] = cost.post;
		one = i ? one : cost;
	}
	if (time_plateau(v, target, SHORT, &short_gap) || time_plateau(v, target, LONG, &long_gap))
		return ST_FAILED;
	posting = line_least_squares(batches, post, NULL, 5);
	wqe = fmax(0, posting.b);
	db = fmax(0, posting.a);
	nic = short_gap > 1.1 * (wqe + (db + one.look) / BATCH) ? short_gap : 0;
	G = long_gap / (LONG - 1);
	p->g = determined(one.whole - wqe - db - one.look - (SHORT - 1) * G);
	p->o_wqe = determined(wqe);
	p->o_db = determined(db);
	p->o_cqe = determined(one.look);
	p->o_nsnd = determined(nic);
	p->o_nrcv = NAN;
	p->G = determined(G);
	p->L = determined((p->g - (p->read ? 2 : 1) * nic) / 2);
	p->L_ack = p->read ? NAN : p->L;
	return ST_OK;
}

/* Rank 0 measures a sender's parameters, then sends what rank 1 receives. */
static int run_sender(struct verbs *v, struct rdma *found)
{
	struct verbs_peer *p = &v->peers[1];
	struct verbs_place target;
	struct chain c;

	if (verbs_take_target(v, p, &target) || measure_sender(v, &target, found))
		return ST_FAILED;
	if (v->options->op == VERBS_SEND) {
		make_chain(v, &c, NULL, SHORT, BATCH, IBV_WR_SEND);
		if (verbs_await(v, &p->armed, ++p->armed_used))
			return ST_FAILED;
		for (uint32_t i = 0; i < target.repeat / BATCH; i++)
			if (post_chain(v, &c) || await_cqes(v, 1, NULL))
				return ST_FAILED;
	}
	return verbs_tell(v, p, MSG_DONE);
}

/* Rank 1 tells rank 0 its place and its number of receives, then measures a receiver. */
static int run_receiver(struct verbs *v, struct rdma *mine)
{
	int n = fitting(RECVS, v->rx_depth), err = 0;
	struct verbs_place place = { .addr = (uintptr_t)spare_memory(v), .len = LONG,
				     .repeat = (uint32_t)n, .slots = 1 };
	struct ibv_sge sge = { (uintptr_t)spare_memory(v), SHORT, v->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = MARK, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct timespec nap = { 0, 5000000L };
	struct verbs_peer *p = &v->peers[0];
	bool receives = v->options->op == VERBS_SEND;
	double start;

	if ((receives && verbs_grant(v, p->data, IBV_ACCESS_REMOTE_WRITE)) ||
	    verbs_tell_target(v, p, &place))
		return ST_FAILED;
	if (receives) {		/* each alone, like a program that returns buffers one by one */
		start = clock_ticks();
		for (int i = 0; i < n && !err; i++)
			err = ibv_post_recv(p->data, &wr, &bad);
		mine->o_free = determined(seconds_since(start) / n);
		if (verbs_judge(v, "posting receives", err) || verbs_tell(v, p, MSG_ARMED))
			return ST_FAILED;
	}
	if (verbs_await(v, &p->dones, ++p->dones_used))
		return ST_FAILED;
	if (!receives)
		return ST_OK;
	if (verbs_grant(v, p->data, verbs_access(v)))
		return ST_FAILED;
	nanosleep(&nap, NULL);
	start = clock_ticks();
	if (await_cqes(v, n, NULL))
		return ST_FAILED;
	mine->o_rcv = determined(seconds_since(start) / n);
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
		return error_report("the parameters of the RDMA form need two ranks");
	/* a fault ends the job: the other rank waits for messages */
	if (me < 2 && (verbs_connect(v, 1 - me) ||
		       (me ? run_receiver(v, found) : run_sender(v, found))))
		return ST_FAILED;
	all = ep->job->kind->allgather(ep->job, found, sizeof(*found));
	found->o_rcv = all[1].o_rcv;
	found->o_free = all[1].o_free;
	return ST_OK;
}
