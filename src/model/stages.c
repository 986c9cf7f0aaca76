/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stages.h"

#include <math.h>

/* The list of stages so far, and the time at which the latest one ends. */
struct stage_list {
	struct stage *stages;
	size_t n;
	double now;
};

/* Adds a stage that begins at time `from` and takes time t, beside the other stages. */
static void add_parallel_stage(struct stage_list *s, const char *name, unsigned at, double from,
				     double t)
{
	if (t > 0)
		s->stages[s->n++] = (struct stage){ name, at, at, from, from + t };
}

/*
 * Adds the next stage, which takes time t. The stage is at `at`, or on the way from `at` to `to`.
 */
static void add_next_stage(struct stage_list *s, const char *name, unsigned at, unsigned to,
				 double t)
{
	if (t > 0)
		s->stages[s->n++] = (struct stage){ name, at, to, s->now, s->now + t };
	s->now += t;
}

static void add_work(struct stage_list *s, const char *name, unsigned at, double t)
{
	add_next_stage(s, name, at, at, t);
}

/* Adds the stages of a message of k bytes from one interface to another. */
static void add_transfer(struct stage_list *s, const struct rdma *p, double k, unsigned from,
			 unsigned to)
{
	add_work(s, "o_nsnd", from, p->o_nsnd);
	add_work(s, "(k-1)G", from, fmax(k - 1, 0) * p->G);
	add_next_stage(s, "L", from, to, p->L);
	add_work(s, "o_nrcv", to, p->o_nrcv);
}

size_t stages_rdma(const struct rdma *of, double k, struct stage *stages)
{
	const struct rdma p = rdma_effective(of);
	struct stage_list s = { .stages = stages };
	bool waits = p.g_rcv > p.o_free;
	double sent;

	add_work(&s, p.said_snd ? "o_snd" : "o_wqe", RDMA_P0, p.o_wqe);
	add_work(&s, "o_db", RDMA_P0, p.o_db);
	sent = s.now;
	add_transfer(&s, &p, p.read ? 1 : k, RDMA_P0_NIC, RDMA_P1_NIC);
	if (p.read) {
		add_transfer(&s, &p, k, RDMA_P1_NIC, RDMA_P0_NIC);
	} else {
		add_parallel_stage(&s, "o_rcv", RDMA_P1, s.now, p.o_rcv);
		add_parallel_stage(&s, waits ? "g_rcv" : "o_free", RDMA_P1, s.now + p.o_rcv,
				   waits ? p.g_rcv : p.o_free);
		add_next_stage(&s, "L_ack", RDMA_P1_NIC, RDMA_P0, p.L_ack);
	}
	add_parallel_stage(&s, "g", RDMA_P0, sent, s.now - sent);
	add_work(&s, "o_cqe", RDMA_P0, p.o_cqe);
	return s.n;
}

static void add_message(struct stage_list *s, const struct logp *p, unsigned from, unsigned to)
{
	double start = s->now;

	add_work(s, "o_s", from, p->o_s);
	if (p->g > p->o_s)
		add_parallel_stage(s, "g", from, start, p->g);
	add_next_stage(s, "L", from, to, p->L);
	add_work(s, "o_r", to, p->o_r);
}

size_t stages_logp(const struct logp *p, bool back, struct stage *stages)
{
	struct stage_list s = { .stages = stages };

	add_message(&s, p, 0, 1);
	if (back)
		add_message(&s, p, 1, 0);
	return s.n;
}
