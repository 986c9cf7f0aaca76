/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message rate of one RDMA connection as the slowest of its stages (METHODS 1.6, eq. 34): the
 * thesis' model with min in place of its max, and with the window counted in whole batches. Pure.
 * Times are in s.
 */
#ifndef NETBENCH_MODEL_RDMA_H
#define NETBENCH_MODEL_RDMA_H

#include <stdbool.h>
#include <stdint.h>

struct rdma {
	double o_wqe, o_db, o_cqe;	/* processor: a work request, a doorbell, a completion */
	double o_nsnd, o_nrcv;		/* network interfaces: a message */
	double o_rcv, o_free;	/* receiving processor, two-sided: a message, freeing its buffer */
	double G, L, L_ack;		/* a byte; latency there, and of the acknowledgement back */
	bool serial;		/* the sending interface takes o_nsnd plus, else or, the bytes */
};

/* What may bind, in the order in which ties are named. */
enum rdma_bound {
	RDMA_CPU, RDMA_SEND_NIC, RDMA_WIRE, RDMA_RECV_NIC, RDMA_RECEIVER, RDMA_WINDOW, RDMA_BOUNDS,
};
extern const char *const rdma_bound_names[];

struct rdma_rate {
	double rate;			/* messages a second */
	enum rdma_bound bound;
	double rtt;		/* RTT_B: from a batch's first work request to its completion */
	double knee;		/* W*: the smallest window that does not bind at batch 1 */
};

/*
 * Reads "o_wqe=20,o_db=65,..."; ns unless a unit is given, what is not named stays. What leaves no
 * stage that takes time is refused. ST_OK or ST_USAGE (reported).
 */
int rdma_parse(const char *text, struct rdma *p);

/* An example that agrees with the thesis' measurements; nobody has measured these parameters. */
extern const char rdma_example[];

/*
 * Latency of one message of k bytes, from its posting until the receiver has it: o_wqe + o_db +
 * o_nsnd + (k-1) G + L + o_nrcv + o_rcv; o_snd of the thesis is o_wqe + o_db.
 */
double rdma_latency(const struct rdma *p, double k);

/* For messages of k bytes, window W (unacknowledged messages) and batch B <= W. */
struct rdma_rate rdma_rate(const struct rdma *p, double k, uint64_t W, uint64_t B);

#endif
