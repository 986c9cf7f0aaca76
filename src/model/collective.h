/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Closed forms of operations of P ranks under LogGP (METHODS 1.3 to 1.5): each time ends when the
 * last rank is done. Pure. Times are in the unit of the parameters, sizes in bytes, P >= 2
 * throughout. 2o of the formulas is o_s + o_r.
 *
 * A message of k bytes takes A_k one way, its network interval is gamma_k, its send interval I_k
 * (model/loggp.h). Outfarming and funnel stand in model/atlas.h; an all-to-all in rotation is
 * loggp_exchange of P-1 messages.
 */
#ifndef NETBENCH_MODEL_COLLECTIVE_H
#define NETBENCH_MODEL_COLLECTIVE_H

#include <stdbool.h>

#include "model/fft.h"
#include "model/loggp.h"

/* Everyone's k bytes to everyone around a ring: A_k + (P-2) max(A_k, gamma_k) (METHODS 19). */
double collective_ring(const struct loggp *p, uint64_t k, uint64_t P);

/*
 * Rank 0 sends every rank k bytes of its own along a binomial tree, largest subtree first. A
 * message carries the bytes of its whole subtree. Exact for any P; METHODS 23 where P is a power of
 * 2.
 */
double collective_scatter(const struct loggp *p, uint64_t k, uint64_t P);

/* ---- one message of k bytes to everyone ---- */

/* Along a binomial tree, in one piece. Exact for any P; METHODS 29 where P is a power of 2. */
double collective_binomial(const struct loggp *p, uint64_t k, uint64_t P);

/* In segments of s bytes along a chain (METHODS 30); exact if s divides k, else an upper bound. */
double collective_chain(const struct loggp *p, uint64_t k, uint64_t s, uint64_t P);

/*
 * The same along a binary tree (eq. 93). Exact where also P = 2^h - 1. Else an upper bound: that of
 * a tree with full levels.
 */
double collective_tree(const struct loggp *p, uint64_t k, uint64_t s, uint64_t P);

/*
 * Scatter of ceil(k/P) bytes each, then a ring (METHODS 32). Exact where P is a power of 2 and
 * divides k, and g <= A_1.
 */
double collective_scatter_ring(const struct loggp *p, uint64_t k, uint64_t P);

/*
 * The segment size, 1 to k, with which the chain is fastest (METHODS 33), within 2 % of the least
 * time.
 */
uint64_t collective_chain_segment(const struct loggp *p, uint64_t k, uint64_t P);

/* The same for the binary tree, found by trying sizes. */
uint64_t collective_tree_segment(const struct loggp *p, uint64_t k, uint64_t P);

/* ---- FFT ---- */

/*
 * Communication of an n-point FFT of b bytes a point in bulk messages (METHODS 28); n and P are
 * powers of two, P <= n. Sets block and hybrid alone.
 */
struct fft_costs collective_fft(const struct loggp *p, double b, double n, uint64_t P);

#endif
