/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogP for one short message (METHODS 1.2, 1.4). Broadcasts with their exact times and the
 * textbook's bounds, the number of processors that a message can reach, and FFT. Pure. Times are in
 * the unit of L, o and g.
 */
#ifndef NETBENCH_MODEL_LOGP_H
#define NETBENCH_MODEL_LOGP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/values.h"
#include "model/fft.h"
#include "model/tree.h"

/* o_s and o_r are the textbook's o at sender and receiver; 2o is their sum. */
struct logp {
	double L, o_s, o_r, g;
	uint32_t P;
};

#define LOGP_MOST (1U << 24)	/* most processors; their schedule takes half a GiB */

/*
 * Reads "L=6,o=2,g=4,P=8". o_s and o_r may be given instead of o if they differ. Numbers
 * without units are cycles. If all times have units, the result is in s and *seconds is true.
 * P may be missing, or be a list such as P=2,4,8:64:*2. *processors gets the list; free its v with
 * free(). p->P is the number if the list has only one, else 0.
 * Reports a field that is missing, negative or in a mixed unit, an interval max(o, g) of 0, and a P
 * outside 2 to LOGP_MOST. Returns ST_OK or ST_USAGE.
 */
int logp_parse(const char *text, struct logp *p, struct numbers *processors, bool *seconds);

/* m = max(o, g) is the interval of sends; A = L + 2o is the time of one message one way. */
double logp_interval(const struct logp *p);
double logp_one_way(const struct logp *p);

/*
 * Exact time of a broadcast along a tree, by the recursion T(child i of v) = T(v) + i m + A.
 * Negative without memory.
 */
double logp_broadcast(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * Bounds of the broadcast's time; NaN for the optimal tree, whose exact time is the bound.
 *
 * closed: METHODS 6-10, with whole numbers as depths. Exact for linear trees. For binomial and
 * k-nomial trees it also holds if m > A.
 *
 * lecture: as printed in Hoefler's lecture "HPC Networking Basics". For k-ary and k-nomial trees
 * it is log_k P (A + (k-1) m) with a real logarithm; for binary trees k is 2; for binomial trees it
 * is log_2 P A. It is below the exact time if P is no power of k, and for binomial trees also if m
 * > A (METHODS 1.2).
 */
struct logp_bounds {
	double closed, lecture;
};
struct logp_bounds logp_bounds(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * The real number k with the smallest ratio of a level's cost to ln k. best_kary uses the
 * textbook's k-ary cost A + (k-1) m (METHODS 11), best_knomial the exact k-nomial cost A + (k-2) m
 * (METHODS 12). The latter has no minimum if A < m; then the result is NaN. m must be positive.
 */
double logp_best_kary(const struct logp *p);
double logp_best_knomial(const struct logp *p);

/*
 * The k from 2 to P with the smallest exact time, which is returned in *time. If several times
 * differ only by rounding, the smallest k is returned. For TREE_KARY and TREE_KNOMIAL.
 */
uint32_t logp_best_integer(const struct logp *p, enum tree_kind kind, double *time);

/*
 * P(t), the number of processors that can have the message at time t (METHODS 16): the sum over
 * depths k of C(floor((t - kA)/m) + k, k). It is a real number because it soon exceeds any integer;
 * it is exact below 2^53. m and A must be positive.
 */
double logp_reach(const struct logp *p, double t);

/*
 * Bounds of P(t).
 * logp_reach_bounds: 2^floor(t / max(A, m)) and 2^floor(t / min(A, m)) (METHODS 14).
 * logp_reach_lecture: as the lecture prints them for o >= g, 2^floor(t / A) and 2^floor(t / o_s).
 * If m > A, the first of these is above P(t) for some t.
 * Bounds are infinite from 2^1024 on, and if o_s is 0.
 */
struct logp_range {
	double least, most;
};
struct logp_range logp_reach_bounds(const struct logp *p, double t);
struct logp_range logp_reach_lecture(const struct logp *p, double t);

/*
 * The largest number of messages in transit from or to one processor: ceil(L/g); 0 means no limit
 * (g is 0).
 */
uint64_t logp_capacity(const struct logp *p);

/*
 * Communication of an n-point FFT on P processors; both are powers of two, P <= n (METHODS 26, 27,
 * with the exchanges of eq. 87).
 */
struct fft_costs logp_fft(const struct logp *p, double n);

#endif
