/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message rate of one RDMA connection, limited by its slowest stage (METHODS 1.6, eq. 34). It is
 * the thesis' model with min instead of max, and with the window counted in whole batches. Pure.
 * Times are in s.
 */
#ifndef NETBENCH_MODEL_RDMA_H
#define NETBENCH_MODEL_RDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parameters of the RDMA form. NaN: not determined. The formulas count such a parameter as 0; a
 * caller that prints results must name it (rdma_missing).
 */
#define RDMA_PARAMETERS 11
struct rdma {
	union {
		struct {
			/* processor time for a work request, a doorbell, a completion */
			double o_wqe, o_db, o_cqe;
			double o_nsnd, o_nrcv;	/* time of each network interface for a message */
			/*
			 * receiving processor, two-sided: time for a message, and to free its
			 * buffer
			 */
			double o_rcv, o_free;
			/*
			 * time until a buffer that received can take the next message; at least
			 * o_free
			 */
			double g_rcv;
			/* time per byte, latency of a message, latency of its acknowledgement */
			double G, L, L_ack;
		};
		/* the same parameters, in the order of rdma_names */
		double parameter[RDMA_PARAMETERS];
	};
	/*
	 * The thesis' g, measured: time from posting a message of 1 byte until its acknowledgement,
	 * without the processor's times. 0: not measured; NaN: not determined. It gives the sum of
	 * the latencies that are not determined.
	 */
	double g;
	bool said_snd;		/* o_wqe was given as the thesis' o_snd */
	/* an interface's time is its work plus the bytes; if false, the longer of the two */
	bool serial;
	/*
	 * The operation is a read: a request goes to the other side, and the message with the bytes
	 * acknowledges it. This message's o_nsnd, L and o_nrcv replace L_ack. The receiving
	 * processor does nothing.
	 */
	bool read;
};

/* The stages that may limit the rate. Of equally slow stages the first one counts. */
enum rdma_bound {
	RDMA_CPU, RDMA_SEND_NIC, RDMA_WIRE, RDMA_RECV_NIC, RDMA_RECEIVER, RDMA_WINDOW, RDMA_BOUNDS,
};
extern const char *const rdma_bound_names[];

struct rdma_rate {
	double rate;			/* messages per second */
	enum rdma_bound bound;
	/* RTT_B: from the first work request of a batch to its completion */
	double rtt;
	/*
	 * W*: the smallest window that does not limit the rate; a whole number of batches if the
	 * batch is above 1
	 */
	double knee;
};

/* The names of the parameters. */
extern const char *const rdma_names[RDMA_PARAMETERS];

/*
 * Reads "o_wqe=20,o_db=65,...", in ns unless a unit is given. The thesis' o_snd may replace o_wqe,
 * o_db and o_cqe. Its g or g_snd may replace L_ack, or L for a read. Parameters that the text does
 * not name keep their values. The caller sets p->read. Reports contradicting parameters, and the
 * faults that rdma_check reports. Returns ST_OK or ST_USAGE (reported).
 */
int rdma_parse(const char *text, struct rdma *p);

/* Refuses parameters with which no stage takes any time. Returns ST_OK or ST_USAGE (reported). */
int rdma_check(const struct rdma *p);

/* Example parameters that agree with the thesis' measurements. They are not measured themselves. */
extern const char rdma_example[];

/* True if at least one parameter is determined. */
bool rdma_known(const struct rdma *p);

/*
 * The name of the i-th parameter that is NaN and that the formulas need; NULL after the last one.
 */
const char *rdma_missing(const struct rdma *p, size_t i);

/*
 * The parameters as the formulas use them. NaN becomes 0. If g is measured, those of L and L_ack
 * that are NaN share the rest of g that the others leave. For reads, L_ack becomes the time of the
 * answer, and the receiving processor takes no time.
 */
struct rdma rdma_effective(const struct rdma *p);

/*
 * The thesis' own symbols: o_snd at B = 1; g = g_snd for a message of 1 byte, measured or else the
 * sum of its parts; g_rcv, the longer of o_free and the parameter g_rcv. NaN: a part is not
 * determined.
 */
struct rdma_symbols {
	double o_snd, g, g_rcv;
};
struct rdma_symbols rdma_symbols(const struct rdma *p);
/* Where the symbols come from: a formula of the parameters, or "measured". */
#define RDMA_O_SND "o_wqe + (o_db + o_cqe)/B"
const char *rdma_g_formula(const struct rdma *p);
const char *rdma_g_rcv_formula(const struct rdma *p);

/*
 * Latency of one message of k bytes, from posting it until the receiver has it.
 *
 *	o_wqe + o_db + o_nsnd + (k-1) G + L + o_nrcv + o_rcv
 *
 * The thesis' o_snd is o_wqe + o_db. The latency of a read is RTT_1, until its completion has been
 * seen.
 */
double rdma_latency(const struct rdma *p, double k);

/*
 * The rate with messages of k bytes, a window of W unacknowledged messages, and batches of B <= W.
 */
struct rdma_rate rdma_rate(const struct rdma *p, double k, uint64_t W, uint64_t B);

#endif
