/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LogP for one short message: broadcasts with their exact times and the textbook's bounds, how far
 * a message gets, FFT (METHODS 1.2, 1.4). Pure. Times are in whatever unit L, o and g are in.
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

#define LOGP_MOST (1U << 24)	/* processors: a schedule of so many takes half a GiB */

/*
 * Reads "L=6,o=2,g=4,P=8", o_s and o_r instead of o if they differ. Numbers are in cycles, or all
 * of them have units of time and the result is in s: *seconds says which. P may be missing, or a
 * list such as P=2,4,8:64:*2, which *processors gets, for free() of its v; p->P is that of a list
 * of one number, else 0. Reported: what is missing, negative or mixed, an interval max(o, g) of 0,
 * and P outside 2 to LOGP_MOST. ST_OK or ST_USAGE.
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
 * Bounds of the same; NaN for optimal, whose bound is its own time.
 * closed: METHODS 6-10, with depths that are whole numbers. linear: exact. binomial, k-nomial: holds
 * also where m > A.
 * lecture: as Hoefler's lecture "HPC Networking Basics" prints it: log_k P (A + (k-1) m) with a real
 * logarithm, for k-ary and k-nomial trees alike; binary with k = 2; binomial log_2 P A. Below the
 * exact time where P is no power of k, and binomial where m > A (METHODS 1.2).
 */
struct logp_bounds {
	double closed, lecture;
};
struct logp_bounds logp_bounds(const struct logp *p, enum tree_kind kind, uint32_t k);

/*
 * The k at which a level's cost over ln k is least, as a real number: of the textbook's k-ary cost
 * A + (k-1) m (METHODS 11), and of the exact k-nomial one A + (k-2) m (METHODS 12), which has no
 * least value, NaN, where A < m. m must be positive.
 */
double logp_best_kary(const struct logp *p);
double logp_best_knomial(const struct logp *p);

/*
 * The k from 2 to P whose exact time is least, the smallest of those that differ by no more than
 * rounding; *time is that time. For TREE_KARY and TREE_KNOMIAL.
 */
uint32_t logp_best_integer(const struct logp *p, enum tree_kind kind, double *time);

/*
 * P(t): how many processors can have the message at time t (METHODS 16): sum over depths k of
 * C(floor((t - kA)/m) + k, k). As a real number, for it soon exceeds any integer; exact below 2^53.
 * m and A must be positive.
 */
double logp_reach(const struct logp *p, double t);

/*
 * Bounds of P(t): 2^floor(t / max(A, m)) and 2^floor(t / min(A, m)) (METHODS 14); and as the
 * lecture prints them, for o >= g: 2^floor(t / A), above P(t) for some t where m > A, and
 * 2^floor(t / o_s). Infinite from 2^1024 on, and where o_s is 0.
 */
struct logp_range {
	double least, most;
};
struct logp_range logp_reach_bounds(const struct logp *p, double t);
struct logp_range logp_reach_lecture(const struct logp *p, double t);

/* The most messages from or to one processor at a time: ceil(L/g); 0, no limit, if g is 0. */
uint64_t logp_capacity(const struct logp *p);

/*
 * Communication of an n-point FFT on P processors, both powers of two, P <= n (METHODS 26, 27).
 */
struct fft_costs logp_fft(const struct logp *p, double n);

#endif
