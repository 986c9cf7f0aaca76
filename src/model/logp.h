/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogP for one short message (METHODS 1.2, 1.4): broadcasts with their exact times and the bounds
 * of the textbook, the number of processors that a message can reach, and FFT. Pure. Times are in
 * the unit of L, o and g.
 */
#ifndef NETBENCH_MODEL_LOGP_H
#define NETBENCH_MODEL_LOGP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/values.h"
#include "model/fft.h"
#include "model/tree.h"

/* o_s and o_r are the overhead o of the textbook at sender and receiver; 2o is their sum. */
struct logp {
	double L, o_s, o_r, g;
	uint32_t P;
};

#define LOGP_MOST (1U << 24)	/* most processors; a schedule for so many takes half a GiB */

/*
 * Parses "L=6,o=2,g=4,P=8". o_s and o_r may be given instead of o if they differ. Numbers without
 * units are cycles. If all times have units, the result is in s and *seconds is true.
 * P may be missing, or be a list such as P=2,4,8:64:*2. The list is stored in *processors; the
 * caller frees processors->v. If the list has only one entry, p->P is this number; otherwise p->P
 * is 0.
 * Reports a field that is missing or negative, times with and without units together, an interval
 * max(o, g) of 0, and a P outside 2 to LOGP_MOST. Returns ST_OK or ST_USAGE.
 */
int logp_parse(const char *text, struct logp *p, struct numbers *processors, bool *seconds);

/*
 * logp_interval returns the interval of sends, m = max(o, g). logp_one_way returns the time of one
 * message one way, A = L + 2o.
 */
double logp_interval(const struct logp *p);
double logp_one_way(const struct logp *p);

/*
 * Returns the exact time of a broadcast along a tree, by the recursion T(child i of v) = T(v) + i m
 * + A. Returns a negative value if memory runs out.
 */
double logp_broadcast(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * Bounds of the time of a broadcast; NaN for the optimal tree, whose exact time is the bound.
 *
 * closed: METHODS 6-10, with whole numbers as depths. The bound is exact for linear trees. For
 * binomial and k-nomial trees it also holds if m > A.
 *
 * lecture: as printed in Hoefler's lecture "HPC Networking Basics". For k-ary and k-nomial trees it
 * is log_k P (A + (k-1) m) with a real logarithm. For binary trees k is 2. For binomial trees it is
 * log_2 P A. This value is below the exact time if P is no power of k, and for binomial trees also
 * if m > A (METHODS 1.2).
 */
struct logp_bounds {
	double closed, lecture;
};
struct logp_bounds logp_bounds(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * Returns the real number k for which the time of a tree level divided by ln k is smallest.
 * logp_best_kary uses the textbook's time of a k-ary level, A + (k-1) m (METHODS 11).
 * logp_best_knomial uses the exact time of a k-nomial level, A + (k-2) m (METHODS 12). If A < m,
 * the ratio for the k-nomial tree has no minimum, and the result is NaN. m must be positive.
 */
double logp_best_kary(const struct logp *p);
double logp_best_knomial(const struct logp *p);

/*
 * Returns the k from 2 to P with the smallest exact time. Sets *time to this time. If times differ
 * only by rounding, returns the smallest of these k. For TREE_KARY and TREE_KNOMIAL.
 */
uint32_t logp_best_integer(const struct logp *p, enum tree_kind kind, double *time);

/*
 * Returns P(t), the number of processors that can have the message at time t (METHODS 16). P(t) is
 * the sum over depths k of C(floor((t - kA)/m) + k, k). The type is double because P(t) soon
 * exceeds any integer type. The result is exact below 2^53. m and A must be positive.
 */
double logp_reach(const struct logp *p, double t);

/*
 * Lower and upper bounds of P(t). logp_reach_bounds: 2^floor(t / max(A, m)) and 2^floor(t / min(A,
 * m)) (METHODS 14). logp_reach_lecture: 2^floor(t / A) and 2^floor(t / o_s), as the lecture prints
 * them for o >= g. If m > A, the lecture's lower bound is above P(t) for some t. Bounds are
 * infinite from 2^1024 on, and if o_s is 0.
 */
struct logp_range {
	double least, most;
};
struct logp_range logp_reach_bounds(const struct logp *p, double t);
struct logp_range logp_reach_lecture(const struct logp *p, double t);

/*
 * Returns the largest number of messages in transit from or to one processor, ceil(L/g). Returns 0
 * if g is 0, which means no limit.
 */
uint64_t logp_capacity(const struct logp *p);

/*
 * Returns the communication times of an n-point FFT on P processors. n and P are powers of two, P
 * <= n (METHODS 26, 27, with the exchanges of eq. 87).
 */
struct fft_costs logp_fft(const struct logp *p, double n);

#endif
