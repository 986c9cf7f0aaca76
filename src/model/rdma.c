/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rdma.h"

#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/fields.h"

const char *const rdma_bound_names[] = {
	"CPU", "sending NIC", "wire", "receiving NIC", "receiver", "window", NULL,
};

const char rdma_example[] =
	"o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=0.0825,L=900,L_ack=2050";

static const struct field fields[] = {
#define FIELD(name) { #name, NUMBER_SECONDS, offsetof(struct rdma, name), .required = false }
	FIELD(o_wqe), FIELD(o_db), FIELD(o_cqe), FIELD(o_nsnd), FIELD(o_nrcv), FIELD(o_rcv),
	FIELD(o_free), FIELD(G), FIELD(L), FIELD(L_ack), { 0 },
};

int rdma_parse(const char *text, struct rdma *p)
{
	int err = fields_parse("rdma", text, fields, 1e-9, p);

	if (!err &&
	    !(p->o_wqe + p->o_db + p->o_cqe + p->o_nsnd + p->o_nrcv + p->o_rcv + p->o_free > 0))
		err = error_usage("rdma: all work is 0: messages would take no time to send");
	return err;
}

double rdma_latency(const struct rdma *p, double k)
{
	return p->o_wqe + p->o_db + p->o_nsnd + fmax(k - 1, 0) * p->G + p->L + p->o_nrcv + p->o_rcv;
}

/* Times between messages that each stage allows at the least. */
static void stages(const struct rdma *p, double k, double B, double t[RDMA_BOUNDS])
{
	double bytes = (k > 1 ? k - 1 : 0) * p->G;
	double send = p->serial ? p->o_nsnd + bytes : fmax(p->o_nsnd, bytes);

	t[RDMA_CPU] = p->o_wqe + (p->o_db + p->o_cqe) / B;
	t[RDMA_SEND_NIC] = bytes > p->o_nsnd ? 0 : send;
	t[RDMA_WIRE] = bytes > p->o_nsnd ? send : 0;
	t[RDMA_RECV_NIC] = p->o_nrcv;
	t[RDMA_RECEIVER] = p->o_rcv + p->o_free;
	t[RDMA_WINDOW] = 0;
}

static double round_trip(const struct rdma *p, double k, double B, const double t[RDMA_BOUNDS])
{
	double send = fmax(t[RDMA_SEND_NIC], t[RDMA_WIRE]), recv = t[RDMA_RECV_NIC];

	return B * p->o_wqe + p->o_db + p->o_nsnd + (k > 1 ? k - 1 : 0) * p->G +
	       (B - 1) * fmax(send, recv) + p->L + recv + p->L_ack + p->o_cqe;
}

static enum rdma_bound slowest(const double t[RDMA_BOUNDS])
{
	enum rdma_bound worst = RDMA_CPU;

	for (enum rdma_bound i = RDMA_SEND_NIC; i < RDMA_BOUNDS; i++)
		worst = t[i] > t[worst] ? i : worst;
	return worst;
}

struct rdma_rate rdma_rate(const struct rdma *p, double k, uint64_t W, uint64_t B)
{
	double t[RDMA_BOUNDS], one[RDMA_BOUNDS];
	struct rdma_rate r;

	stages(p, k, 1, one);
	r.knee = round_trip(p, k, 1, one) / one[slowest(one)];
	stages(p, k, (double)B, t);
	r.rtt = round_trip(p, k, (double)B, t);
	t[RDMA_WINDOW] = r.rtt / ((double)B * (double)(W / B));
	r.bound = slowest(t);
	r.rate = 1 / t[r.bound];
	return r;
}
