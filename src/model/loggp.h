/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogGP: parameters and the closed forms of point-to-point traffic (METHODS 1.0, 1.1). Pure. Times
 * are in the unit of the parameters. Zero messages take time 0.
 */
#ifndef NETBENCH_MODEL_LOGGP_H
#define NETBENCH_MODEL_LOGGP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/* o_s and o_r are LogP's o at sender and receiver; all per message but G, per byte. */
struct loggp {
	double L, o_s, o_r, g, G;
};

/*
 * Reads "L=1us,o=200ns,g=300ns,G=0.1ns" into seconds. o sets both o_s and o_r, which may be given
 * apart. A number without a unit is nanoseconds. Fields not mentioned keep their value. Unless
 * `ranks` is NULL, "P=8", a number of ranks from 2 to LOGGP_MOST, may be among the fields. Reports
 * negative values and unknown fields. ST_OK or ST_USAGE.
 */
#define LOGGP_MOST 1000000
NETBENCH_EXPORT int loggp_parse(const char *text, struct loggp *p, uint64_t *ranks);

/* The same, where "c=0.05ns", the time of adding a byte of a sum, may be among the fields. */
int loggp_parse_adding(const char *text, struct loggp *p, double *c);

/*
 * Reports a parameter that is NaN, and a network that sends a message of a byte in no time. ST_OK
 * or ST_USAGE.
 */
int loggp_check(const struct loggp *p);

/*
 * The name of the first parameter that makes predictions impossible: it is NaN or negative. L may
 * be negative, because a fit computes it from the others. NULL if all parameters are valid.
 */
const char *loggp_missing(const struct loggp *p);

/* Parameters by message size, from a fit: p[i] up to upto[i] bytes, the last for all above. */
#define LOGGP_PIECES 8
struct loggp_pieces {
	size_t n;
	double upto[LOGGP_PIECES];
	struct loggp p[LOGGP_PIECES];
};

/* The parameters for a message of k bytes; n must be at least 1. */
const struct loggp *loggp_at(const struct loggp_pieces *pieces, uint64_t k);

/* Bytes after the first: max(k-1, 0). */
double loggp_tail(uint64_t k);

/* gamma_k = g + (k-1) G: shortest time from one send (or receive) start to the next. */
double loggp_gamma(const struct loggp *p, uint64_t k);

/* Send interval max(o_s, gamma_k) and receive interval max(o_r, gamma_k); I_k when o_s = o_r. */
double loggp_send_interval(const struct loggp *p, uint64_t k);
double loggp_recv_interval(const struct loggp *p, uint64_t k);

/* The longer of both, the interval of a stream of messages. */
double loggp_interval(const struct loggp *p, uint64_t k);

/* A_k = o_s + (k-1) G + L + o_r: one message, one way (METHODS 1). */
double loggp_one_way(const struct loggp *p, uint64_t k);

/* n messages one way: A_k + (n-1) max(o_s, gamma_k, o_r) (METHODS 2). */
double loggp_stream(const struct loggp *p, uint64_t k, uint64_t n);

/* Ping-pong, r rounds: 2 A_k + (r-1) max(2 A_k, gamma_k) (METHODS 3). */
double loggp_pingpong(const struct loggp *p, uint64_t k, uint64_t r);

/*
 * `loops` windows of W messages, each answered by a reply of one byte. A window takes METHODS 1.1's
 * T_W = (W-1) max(o_s, gamma_k, o_r) + A_k + A_1. It takes longer if the gap after its last message
 * is longer. `both`: two ranks do so at once; each sends a window, receives one, and then sends a
 * reply. msgrate and bandwidth measure this.
 */
double loggp_windows(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops, bool both);

/*
 * A sliding window of W messages (eq. 69-71): a message of one byte acknowledges each message, and
 * at most W messages are not acknowledged. In s, and messages a second.
 */
struct loggp_sliding {
	double rtt;		/* (69) from a message's send until its acknowledgement is taken */
	double interval;	/* (70) J: of a message at the busiest place, a gap or processor */
	double rate;		/* (71) min(W / rtt, 1 / J), in the steady state */
	const char *bound;	/* what binds: "window", "gap", "processor" */
};
struct loggp_sliding loggp_sliding(const struct loggp *p, uint64_t k, uint64_t W);

/*
 * The time of `loops` such windows without a pause, from the first send to the last
 * acknowledgement: max(loops rtt + (W-1) J, (loops W - 1) J + rtt) (eq. 89).
 */
double loggp_sliding_time(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops);

/*
 * Exchange of n messages of k bytes each way. Both ranks send all, then receive all (eq. 87).
 *
 *	max( A_k + (n-1) max(o_s, gamma_k, o_r), n (o_s + o_r) )
 *
 * A step of b_eff's ring is the exchange with n = 2, an all-to-all in rotation the one with
 * n = P-1.
 */
double loggp_exchange(const struct loggp *p, uint64_t k, uint64_t n);

#endif
