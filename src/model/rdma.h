/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the message rate of one RDMA connection, which its slowest stage limits (METHODS 1.6,
 * eq. 34). Eq. 34 is the model of the thesis with min instead of max, and with a window of whole
 * batches. Pure. Times are in s.
 */
#ifndef NETBENCH_MODEL_RDMA_H
#define NETBENCH_MODEL_RDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parameters of the RDMA form. A parameter that is not determined is NaN. The formulas count it as
 * 0; a caller that prints results must name it (rdma_missing).
 */
#define RDMA_PARAMETERS 11
struct rdma {
	union {
		struct {
			/*
			 * processor time for a work request (o_wqe), a doorbell (o_db) and a
			 * completion (o_cqe)
			 */
			double o_wqe, o_db, o_cqe;
			/*
			 * time per message of the sending interface (o_nsnd) and the receiving one
			 * (o_nrcv)
			 */
			double o_nsnd, o_nrcv;
			/*
			 * two-sided only: receiving processor's time for a message (o_rcv), and to
			 * free the message's buffer (o_free)
			 */
			double o_rcv, o_free;
			/*
			 * time until a buffer that has received a message can take the next one; at
			 * least o_free
			 */
			double g_rcv;
			/*
			 * G: time per byte. L: latency of a message. L_ack: latency of its
			 * acknowledgement.
			 */
			double G, L, L_ack;
		};
		/* the same parameters, in the order of rdma_names */
		double parameter[RDMA_PARAMETERS];
	};
	/*
	 * g of the thesis, measured: time from posting a message of 1 byte until its
	 * acknowledgement, without the times of the processor. 0: not measured; NaN: not
	 * determined. The latencies that are not determined are computed from this g.
	 */
	double g;
	/* o_wqe holds o_snd of the thesis, which was given instead of o_wqe, o_db and o_cqe */
	bool said_snd;
	/*
	 * true: the time of an interface is its time per message plus the time of the bytes; false:
	 * the longer of these two
	 */
	bool serial;
	/*
	 * The operation is a read: a request goes to the other side, and the message that brings
	 * the bytes acknowledges the request. o_nsnd, L and o_nrcv of this message replace L_ack.
	 * The receiving processor does nothing.
	 */
	bool read;
};

/*
 * The stages that may limit the rate. If several stages are equally slow, the first of these is
 * reported.
 */
enum rdma_bound {
	RDMA_CPU, RDMA_SEND_NIC, RDMA_WIRE, RDMA_RECV_NIC, RDMA_RECEIVER, RDMA_WINDOW, RDMA_BOUNDS,
};
extern const char *const rdma_bound_names[];

struct rdma_rate {
	double rate;			/* messages per second */
	enum rdma_bound bound;
	/* RTT_B: time from the first work request of a batch to the completion of the batch */
	double rtt;
	/*
	 * W*: the smallest window that does not limit the rate. If the batch is above 1, W* is a
	 * whole number of batches.
	 */
	double knee;
};

/* The names of the parameters. */
extern const char *const rdma_names[RDMA_PARAMETERS];

/*
 * Parses "o_wqe=20,o_db=65,...", in ns unless a unit is given. o_snd of the thesis may be given
 * instead of o_wqe, o_db and o_cqe. The thesis's g or g_snd may be given instead of L_ack (for a
 * read: instead of L). Parameters that are not in the text keep their values. The caller sets
 * p->read. Reports contradicting parameters, and the faults that rdma_check reports. Returns ST_OK
 * or ST_USAGE (reported).
 */
int rdma_parse(const char *text, struct rdma *p);

/* Reports parameters with which no stage takes any time. Returns ST_OK or ST_USAGE (reported). */
int rdma_check(const struct rdma *p);

/*
 * Example parameters. They agree with the measurements of the thesis but were not measured
 * themselves.
 */
extern const char rdma_example[];

/* Returns true if at least one parameter is determined. */
bool rdma_known(const struct rdma *p);

/*
 * Returns the name of the i-th (from 0) of the parameters that the formulas need but that are NaN.
 * Returns NULL if there are not that many.
 */
const char *rdma_missing(const struct rdma *p, size_t i);

/*
 * Returns the parameters as the formulas use them. NaN becomes 0. If g is measured and L or L_ack
 * is NaN, g without the other parts is divided equally among those of the two that are NaN. For
 * reads, L_ack becomes the time of the answer, and the receiving processor takes no time.
 */
struct rdma rdma_effective(const struct rdma *p);

/*
 * The symbols of the thesis: o_snd at B = 1; g = g_snd for a message of 1 byte, measured or else
 * the sum of its parts; g_rcv, the longer of o_free and the parameter g_rcv. NaN: a part is not
 * determined.
 */
struct rdma_symbols {
	double o_snd, g, g_rcv;
};
struct rdma_symbols rdma_symbols(const struct rdma *p);
/* How the symbols are obtained: a formula of the parameters, or "measured". */
#define RDMA_O_SND "o_wqe + (o_db + o_cqe)/B"
const char *rdma_g_formula(const struct rdma *p);
const char *rdma_g_rcv_formula(const struct rdma *p);

/*
 * Returns the latency of one message of k bytes, from posting the message until the receiver has
 * it.
 *
 * o_wqe + o_db + o_nsnd + (k-1) G + L + o_nrcv + o_rcv
 *
 * Here o_snd of the thesis is o_wqe + o_db. The latency of a read is RTT_1, the time until its
 * completion has been seen.
 */
double rdma_latency(const struct rdma *p, double k);

/*
 * Returns the rate with messages of k bytes, a window of W unacknowledged messages, and batches of
 * B <= W messages.
 */
struct rdma_rate rdma_rate(const struct rdma *p, double k, uint64_t W, uint64_t B);

#endif
