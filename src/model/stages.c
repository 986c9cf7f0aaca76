/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stages.h"

#include <math.h>

/* Stages so far, and when the last one ends. */
struct story {
	struct stage *stages;
	size_t n;
	double now;
};

/* What lasts from `from` for t, beside what else happens. */
static void beside(struct story *s, const char *name, unsigned at, double from, double t)
{
	if (t > 0)
		s->stages[s->n++] = (struct stage){ name, at, at, from, from + t };
}

/* The next stage, at a place or on the way to another. */
static void next(struct story *s, const char *name, unsigned at, unsigned to, double t)
{
	if (t > 0)
		s->stages[s->n++] = (struct stage){ name, at, to, s->now, s->now + t };
	s->now += t;
}

static void work(struct story *s, const char *name, unsigned at, double t)
{
	next(s, name, at, at, t);
}

/* A message of k bytes between the interfaces. */
static void pass(struct story *s, const struct rdma *p, double k, unsigned from, unsigned to)
{
	work(s, "o_nsnd", from, p->o_nsnd);
	work(s, "(k-1)G", from, fmax(k - 1, 0) * p->G);
	next(s, "L", from, to, p->L);
	work(s, "o_nrcv", to, p->o_nrcv);
}

size_t stages_rdma(const struct rdma *of, double k, struct stage *stages)
{
	const struct rdma p = rdma_counted(of);
	struct story s = { .stages = stages };
	bool waits = p.g_rcv > p.o_free;
	double sent;

	work(&s, "o_wqe", RDMA_P0, p.o_wqe);
	work(&s, "o_db", RDMA_P0, p.o_db);
	sent = s.now;
	pass(&s, &p, p.read ? 1 : k, RDMA_P0_NIC, RDMA_P1_NIC);
	if (p.read) {
		pass(&s, &p, k, RDMA_P1_NIC, RDMA_P0_NIC);
	} else {
		beside(&s, "o_rcv", RDMA_P1, s.now, p.o_rcv);
		beside(&s, waits ? "g_rcv" : "o_free", RDMA_P1, s.now + p.o_rcv,
		       waits ? p.g_rcv : p.o_free);
		next(&s, "L_ack", RDMA_P1_NIC, RDMA_P0, p.L_ack);
	}
	beside(&s, "g", RDMA_P0, sent, s.now - sent);
	work(&s, "o_cqe", RDMA_P0, p.o_cqe);
	return s.n;
}

static void send(struct story *s, const struct logp *p, unsigned from, unsigned to)
{
	double start = s->now;

	work(s, "o_s", from, p->o_s);
	if (p->g > p->o_s)
		beside(s, "g", from, start, p->g);
	next(s, "L", from, to, p->L);
	work(s, "o_r", to, p->o_r);
}

size_t stages_logp(const struct logp *p, bool back, struct stage *stages)
{
	struct story s = { .stages = stages };

	send(&s, p, 0, 1);
	if (back)
		send(&s, p, 1, 0);
	return s.n;
}
