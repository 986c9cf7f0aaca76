/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogGP: its parameters, and closed forms for point-to-point traffic (METHODS 1.0, 1.1). Pure.
 * Times are in the unit of the parameters. If the number of messages is 0, the time is 0.
 */
#ifndef NETBENCH_MODEL_LOGGP_H
#define NETBENCH_MODEL_LOGGP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"
#include "base/number.h"

/*
 * Parameters of LogGP. o_s and o_r are the overhead o of LogP at the sender and at the receiver. G
 * is a time per byte, the others are times per message.
 */
struct loggp {
	double L, o_s, o_r, g, G;
};

/*
 * Parses "L=1us,o=200ns,g=300ns,G=0.1ns" and converts it to seconds. o sets both o_s and o_r, which
 * may also be given separately. A number without a unit is in nanoseconds. Parameters that are not
 * in the text keep their values. Reports negative values and unknown fields. Returns ST_OK or
 * ST_USAGE.
 */
NETBENCH_EXPORT int loggp_parse(const char *text, struct loggp *p);

/* Like loggp_parse, but the text may also contain "c=0.05ns", the time to add one byte to a sum. */
int loggp_parse_adding(const char *text, struct loggp *p, double *c);

/*
 * Like loggp_parse_adding, but the text may also contain numbers of ranks, "P=8" or "P=2:64:*2",
 * each from 2 to LOGGP_MOST. They replace the list *ranks, which the caller frees, also after a
 * fault.
 */
#define LOGGP_MOST 1000000
int loggp_parse_sweep(const char *text, struct loggp *p, double *c, struct numbers *ranks);

/*
 * Reports a parameter that is NaN, or a network in which sending a message of one byte takes no
 * time. Returns ST_OK or ST_USAGE.
 */
int loggp_check(const struct loggp *p);

/*
 * Returns the name of the first parameter that makes predictions impossible because it is NaN or
 * negative; NULL if all are valid. L may be negative, because a fit computes L from the other
 * parameters.
 */
const char *loggp_missing(const struct loggp *p);

/*
 * Parameters for ranges of message sizes, from a fit. p[i] is for sizes up to upto[i] bytes. The
 * final entry is for all larger sizes.
 */
#define LOGGP_PIECES 8
struct loggp_pieces {
	size_t n;
	double upto[LOGGP_PIECES];
	struct loggp p[LOGGP_PIECES];
};

/* Returns the parameters for a message of k bytes. `n` must be at least 1. */
const struct loggp *loggp_for_size(const struct loggp_pieces *pieces, uint64_t k);

/* Returns the number of bytes (or messages) after the first: max(k-1, 0). */
double loggp_less_one(uint64_t k);

/*
 * Returns gamma_k = g + (k-1) G, the shortest time between the starts of two sends (or of two
 * receives).
 */
double loggp_gamma(const struct loggp *p, uint64_t k);

/*
 * Return the send interval max(o_s, gamma_k) and the receive interval max(o_r, gamma_k). If o_s =
 * o_r, both are I_k.
 */
double loggp_send_interval(const struct loggp *p, uint64_t k);
double loggp_recv_interval(const struct loggp *p, uint64_t k);

/*
 * Returns the longer of the send interval and the receive interval. This is the interval of a
 * stream of messages.
 */
double loggp_interval(const struct loggp *p, uint64_t k);

/* Returns A_k = o_s + (k-1) G + L + o_r, the time of one message one way (METHODS 1). */
double loggp_one_way(const struct loggp *p, uint64_t k);

/* Returns the time of n messages one way: A_k + (n-1) max(o_s, gamma_k, o_r) (METHODS 2). */
double loggp_stream(const struct loggp *p, uint64_t k, uint64_t n);

/* Returns the time of r rounds of ping-pong: 2 A_k + (r-1) max(2 A_k, gamma_k) (METHODS 3). */
double loggp_pingpong(const struct loggp *p, uint64_t k, uint64_t r);

/*
 * Returns the time of `loops` windows of W messages, as msgrate and bandwidth measure it. A reply
 * of one byte ends each window. A window takes T_W = (W-1) max(o_s, gamma_k, o_r) + A_k + A_1
 * (METHODS 1.1). A window takes longer if the gap after its final message is longer. With `both`,
 * two ranks send at once: each sends a window, receives one, and then sends a reply.
 */
double loggp_windows(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops, bool both);

/*
 * A sliding window of W messages (eq. 69-71). Each message is acknowledged by a message of one
 * byte. At most W messages are unacknowledged. Times are in s, the rate in messages per second.
 */
struct loggp_sliding {
	/* (69) time from sending a message until its acknowledgement has been received */
	double rtt;
	/* (70) J, the time of a message at the busiest resource, which is a gap or a processor */
	double interval;
	double rate;		/* (71) rate in the steady state, min(W / rtt, 1 / J) */
	const char *bound;	/* what limits the rate: "window", "gap" or "processor" */
};
struct loggp_sliding loggp_sliding(const struct loggp *p, uint64_t k, uint64_t W);

/*
 * Returns the time of `loops` windows that follow each other without a pause, from the first send
 * to the last acknowledgement: max(loops rtt + (W-1) J, (loops W - 1) J + rtt) (eq. 89).
 */
double loggp_sliding_time(const struct loggp *p, uint64_t k, uint64_t W, uint64_t loops);

/*
 * Returns the time to exchange n messages of k bytes each way. Both ranks send all their messages,
 * then receive all messages of the other rank (eq. 87).
 *
 * max( A_k + (n-1) max(o_s, gamma_k, o_r), n (o_s + o_r) )
 *
 * A step of b_eff's ring is this exchange with n = 2. An all-to-all in rotation is this exchange
 * with n = P-1.
 */
double loggp_exchange(const struct loggp *p, uint64_t k, uint64_t n);

#endif
