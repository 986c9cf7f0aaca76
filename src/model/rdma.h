/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message rate of one RDMA connection as its slowest stage allows it (METHODS 1.6, eq. 34): the
 * thesis' model with min in place of its max, and with the window counted in whole batches. Pure.
 * Times are in s.
 */
#ifndef NETBENCH_MODEL_RDMA_H
#define NETBENCH_MODEL_RDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A parameter that is NaN has not been determined. The formulas count it as 0; a caller that prints
 * results has to name such parameters (rdma_missing).
 */
#define RDMA_PARAMETERS 11
struct rdma {
	union {
		struct {
			/* processor: a work request, a doorbell, a completion */
			double o_wqe, o_db, o_cqe;
			double o_nsnd, o_nrcv;	/* network interfaces: a message */
			/* receiving processor, two-sided: a message, freeing its buffer */
			double o_rcv, o_free;
			/* until a buffer received into takes the next message; at least o_free */
			double g_rcv;
			/* a byte; latency there, and of the acknowledgement back */
			double G, L, L_ack;
		};
		double parameter[RDMA_PARAMETERS];	/* the same, in the order of rdma_names */
	};
	/*
	 * The thesis' g, measured: from a message of 1 byte posted until its acknowledgement, less
	 * the processor's times. 0: not measured, NaN: not determined. It tells the sum of those
	 * latencies that are not determined.
	 */
	double g;
	bool said_snd;		/* o_wqe was given as the thesis' o_snd */
	bool serial;		/* interfaces take their work plus, else or, the bytes */
	/*
	 * A read: a request goes there, and the message with the bytes acknowledges it. The costs
	 * o_nsnd, L and o_nrcv of that message replace L_ack. The receiving processor does nothing.
	 */
	bool read;
};

/* The stages that may bind. The first of equally slow stages counts. */
enum rdma_bound {
	RDMA_CPU, RDMA_SEND_NIC, RDMA_WIRE, RDMA_RECV_NIC, RDMA_RECEIVER, RDMA_WINDOW, RDMA_BOUNDS,
};
extern const char *const rdma_bound_names[];

struct rdma_rate {
	double rate;			/* messages a second */
	enum rdma_bound bound;
	double rtt;		/* RTT_B: from a batch's first work request to its completion */
	/* W*: the smallest window that does not bind; of a batch above 1 in whole batches */
	double knee;
};

/* The names of the parameters. */
extern const char *const rdma_names[RDMA_PARAMETERS];

/*
 * Reads "o_wqe=20,o_db=65,..." in ns unless a unit is given. The thesis' o_snd may replace o_wqe,
 * o_db and o_cqe. Its g or g_snd may replace L_ack, or L for a read. Parameters that the text does
 * not name stay. The caller sets p->read. Reports parameters that contradict each other, and fails
 * as rdma_check. ST_OK or ST_USAGE (reported).
 */
int rdma_parse(const char *text, struct rdma *p);

/* Refuses parameters with which no stage takes time. ST_OK or ST_USAGE (reported). */
int rdma_check(const struct rdma *p);

/* An example that agrees with the thesis' measurements; nobody has measured these parameters. */
extern const char rdma_example[];

/* True if any parameter is determined. */
bool rdma_known(const struct rdma *p);

/* The name of the i-th parameter that is NaN although the formulas need it; NULL after the last. */
const char *rdma_missing(const struct rdma *p, size_t i);

/*
 * The parameters as the formulas count them. NaN becomes 0; but if g is measured, L and L_ack that
 * are NaN share what the others leave of it. For reads L_ack becomes the time of the
 * answer, and the receiving processor takes no time.
 */
struct rdma rdma_counted(const struct rdma *p);

/*
 * The thesis' own symbols in this form: o_snd at B = 1; g = g_snd of a message of 1 byte, as
 * measured or else as the sum of its parts; and g_rcv, the longer of o_free and the parameter
 * g_rcv. NaN: a part is not determined.
 */
struct rdma_symbols {
	double o_snd, g, g_rcv;
};
struct rdma_symbols rdma_symbols(const struct rdma *p);
#define RDMA_O_SND "o_wqe + (o_db + o_cqe)/B"
const char *rdma_g(const struct rdma *p);
const char *rdma_g_rcv(const struct rdma *p);

/*
 * Latency of one message of k bytes, from its posting until the receiver has it.
 *
 *	o_wqe + o_db + o_nsnd + (k-1) G + L + o_nrcv + o_rcv
 *
 * o_snd of the thesis is o_wqe + o_db. The latency of a read is RTT_1, until its completion has
 * been seen.
 */
double rdma_latency(const struct rdma *p, double k);

/* For messages of k bytes, window W (unacknowledged messages) and batch B <= W. */
struct rdma_rate rdma_rate(const struct rdma *p, double k, uint64_t W, uint64_t B);

#endif
