/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogP for one short message: broadcasts with their exact times and the textbook's bounds, the
 * reach of a message, FFT (METHODS 1.2, 1.4). Pure. Times are in the unit of L, o and g.
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

#define LOGP_MOST (1U << 24)	/* processors; their schedule takes half a GiB */

/*
 * Reads "L=6,o=2,g=4,P=8", or o_s and o_r instead of o if they differ. Numbers are in cycles; or
 * all of them have units of time, and the result is in s and *seconds is true. P may be missing, or
 * a list such as P=2,4,8:64:*2. *processors gets the list, for free() of its v. p->P is the number
 * of a list of one, else 0. Reports a field that is missing, negative or in a mixed unit, an
 * interval max(o, g) of 0, and a P outside 2 to LOGP_MOST. ST_OK or ST_USAGE.
 */
int logp_parse(const char *text, struct logp *p, struct numbers *processors, bool *seconds);

/* m = max(o, g), the interval of sends; A = L + 2o, one message one way. */
double logp_interval(const struct logp *p);
double logp_one_way(const struct logp *p);

/*
 * Exact time of a broadcast along a tree, by the recursion T(child i of v) = T(v) + i m + A;
 * negative without memory.
 */
double logp_broadcast(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * Bounds of the same; NaN for the optimal tree: its exact time is itself the bound.
 *
 * closed: METHODS 6-10, with depths that are whole numbers. It is exact for linear. For binomial
 * and k-nomial it holds also where m > A.
 *
 * lecture: as Hoefler's lecture "HPC Networking Basics" prints it. For k-ary and k-nomial trees it
 * is log_k P (A + (k-1) m) with a real logarithm. For binary k is 2, and binomial has log_2 P A. It
 * is below the exact time where P is no power of k, and for binomial where m > A (METHODS 1.2).
 */
struct logp_bounds {
	double closed, lecture;
};
struct logp_bounds logp_bounds(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * The k, a real number, with the least cost of a level over ln k. best_kary takes the textbook's
 * k-ary cost A + (k-1) m (METHODS 11), best_knomial the exact k-nomial cost A + (k-2) m (METHODS
 * 12). The latter has no least value where A < m: the result is NaN. m must be positive.
 */
double logp_best_kary(const struct logp *p);
double logp_best_knomial(const struct logp *p);

/*
 * The k from 2 to P with the least exact time, which is *time. The smallest k counts if several
 * times differ only by rounding. For TREE_KARY and TREE_KNOMIAL.
 */
uint32_t logp_best_integer(const struct logp *p, enum tree_kind kind, double *time);

/*
 * P(t), the number of processors that can have the message at time t (METHODS 16). It is the sum
 * over depths k of C(floor((t - kA)/m) + k, k). A real number, because it soon exceeds any integer;
 * exact below 2^53. m and A must be positive.
 */
double logp_reach(const struct logp *p, double t);

/*
 * Bounds of P(t). logp_reach_bounds: 2^floor(t / max(A, m)) and 2^floor(t / min(A, m)) (METHODS
 * 14). logp_reach_lecture: as the lecture prints them for o >= g, 2^floor(t / A) and 2^floor(t /
 * o_s). Its first is above P(t) for some t where m > A. Bounds are infinite from 2^1024 on, and
 * where o_s is 0.
 */
struct logp_range {
	double least, most;
};
struct logp_range logp_reach_bounds(const struct logp *p, double t);
struct logp_range logp_reach_lecture(const struct logp *p, double t);

/* The most messages from or to one processor at a time: ceil(L/g); 0, no limit, if g is 0. */
uint64_t logp_capacity(const struct logp *p);

/*
 * Communication of an n-point FFT on P processors, both powers of two, P <= n (METHODS 26, 27, with
 * the exchanges of eq. 87).
 */
struct fft_costs logp_fft(const struct logp *p, double n);

#endif
