/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogGP: parameters, and closed forms of point-to-point traffic (METHODS 1.0, 1.1). Pure. Times are
 * in the unit of the parameters. A traffic of zero messages takes time 0.
 */
#ifndef NETBENCH_MODEL_LOGGP_H
#define NETBENCH_MODEL_LOGGP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/*
 * Parameters of LogGP. o_s and o_r are LogP's o at sender and receiver. G is a time per byte, the
 * others are times per message.
 */
struct loggp {
	double L, o_s, o_r, g, G;
};

/*
 * Reads "L=1us,o=200ns,g=300ns,G=0.1ns" into seconds. o sets both o_s and o_r, which may also be
 * given separately. A number without a unit is in nanoseconds. Fields that are not mentioned keep
 * their values. If `ranks` is not NULL, the text may contain the number of ranks, "P=8", from 2 to
 * LOGGP_MOST. Reports negative values and unknown fields. Returns ST_OK or ST_USAGE.
 */
#define LOGGP_MOST 1000000
NETBENCH_EXPORT int loggp_parse(const char *text, struct loggp *p, uint64_t *ranks);

/* Like loggp_parse, but the text may contain "c=0.05ns", the time to add one byte of a sum. */
int loggp_parse_adding(const char *text, struct loggp *p, double *c);

/*
 * Reports a parameter that is NaN, and a network that needs no time to send a message of one byte.
 * Returns ST_OK or ST_USAGE.
 */
int loggp_check(const struct loggp *p);

/*
 * The name of the first parameter that is NaN or negative and so makes predictions impossible; NULL
 * if all are valid. L may be negative, because a fit computes it from the others.
 */
const char *loggp_missing(const struct loggp *p);

/*
 * Parameters by message size, from a fit: p[i] holds up to upto[i] bytes, the last one for all
 * larger sizes.
 */
#define LOGGP_PIECES 8
struct loggp_pieces {
	size_t n;
	double upto[LOGGP_PIECES];
	struct loggp p[LOGGP_PIECES];
};

/* The parameters for a message of k bytes; n must be at least 1. */
const struct loggp *loggp_for_size(const struct loggp_pieces *pieces, uint64_t k);

/* Bytes after the first: max(k-1, 0). */
double loggp_less_one(uint64_t k);

/* gamma_k = g + (k-1) G: shortest time from one send (or receive) start to the next. */
double loggp_gamma(const struct loggp *p, uint64_t k);

/*
 * Send interval max(o_s, gamma_k) and receive interval max(o_r, gamma_k); both are I_k if o_s =
 * o_r.
 */
double loggp_send_interval(const struct loggp *p, uint64_t k);
double loggp_recv_interval(const struct loggp *p, uint64_t k);

/* The longer of the two intervals: the interval of a stream of messages. */
double loggp_interval(const struct loggp *p, uint64_t k);

/* A_k = o_s + (k-1) G + L + o_r: time of one message one way (METHODS 1). */
double loggp_one_way(const struct loggp *p, uint64_t k);

/* Time of n messages one way: A_k + (n-1) max(o_s, gamma_k, o_r) (METHODS 2). */
double loggp_stream(const struct loggp *p, uint64_t k, uint64_t n);

/* Time of r rounds of ping-pong: 2 A_k + (r-1) max(2 A_k, gamma_k) (METHODS 3). */
double loggp_pingpong(const struct loggp *p, uint64_t k, uint64_t r);

/*
 * Time of `loops` windows of W messages; a reply of one byte ends each window. A window takes T_W =
 * (W-1) max(o_s, gamma_k, o_r) + A_k + A_1 (METHODS 1.1), or longer if the gap after its last
 * message is longer. `both`: two ranks send at once; each sends a window, receives one, and then
 * sends a reply. msgrate and bandwidth measure this.
 */
double loggp_windows(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops, bool both);

/*
 * A sliding window of W messages (eq. 69-71): a message of one byte acknowledges each message, and
 * at most W messages are not acknowledged yet. Times are in s, the rate in messages per second.
 */
struct loggp_sliding {
	/* (69) from sending a message until its acknowledgement has been received */
	double rtt;
	/* (70) J, time per message at the busiest resource: a gap or a processor */
	double interval;
	double rate;		/* (71) min(W / rtt, 1 / J), in the steady state */
	const char *bound;	/* what limits the rate: "window", "gap" or "processor" */
};
struct loggp_sliding loggp_sliding(const struct loggp *p, uint64_t k, uint64_t W);

/*
 * Time of `loops` such windows without a pause between them, from the first send to the last
 * acknowledgement: max(loops rtt + (W-1) J, (loops W - 1) J + rtt) (eq. 89).
 */
double loggp_sliding_time(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops);

/*
 * Time to exchange n messages of k bytes each way. Both ranks send all, then receive all (eq. 87).
 *
 *	max( A_k + (n-1) max(o_s, gamma_k, o_r), n (o_s + o_r) )
 *
 * A step of b_eff's ring is the exchange with n = 2. An all-to-all in rotation is the exchange with
 * n = P-1.
 */
double loggp_exchange(const struct loggp *p, uint64_t k, uint64_t n);

#endif
