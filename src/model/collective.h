/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Closed forms under LogGP for the time until the last of P ranks has finished an operation
 * (METHODS 1.3 to 1.5). Pure. Times are in the unit of the parameters, sizes in bytes, and P >= 2.
 * "2o" in the formulas is o_s + o_r.
 *
 * A message of k bytes takes A_k one way. Its network interval is gamma_k, and its send interval is
 * I_k (model/loggp.h). Outfarming and funnel are in model/atlas.h. An all-to-all in rotation is
 * loggp_exchange of P-1 messages.
 */
#ifndef NETBENCH_MODEL_COLLECTIVE_H
#define NETBENCH_MODEL_COLLECTIVE_H

#include "model/fft.h"
#include "model/loggp.h"

/*
 * Returns the time of an allgather in a ring, with k bytes from each rank: A_k + (P-2) max(A_k,
 * gamma_k) (METHODS 19).
 */
double collective_ring(const struct loggp *p, uint64_t k, uint64_t P);

/*
 * Returns the time of a scatter: rank 0 sends different k bytes to each rank, along a binomial
 * tree, largest subtree first. A message carries the bytes for the whole subtree of its receiver.
 * The time is exact for any P. It equals METHODS 23 if P is a power of 2.
 */
double collective_scatter(const struct loggp *p, uint64_t k, uint64_t P);

/* ---- one message of k bytes to all ranks ---- */

/*
 * Returns the time of a broadcast along a binomial tree, without segments. The time is exact for
 * any P. It equals METHODS 29 if P is a power of 2.
 */
double collective_binomial(const struct loggp *p, uint64_t k, uint64_t P);

/*
 * Returns the time of a broadcast in segments of s bytes along a chain (METHODS 30). The time is
 * exact if s divides k, and otherwise an upper bound.
 */
double collective_chain(const struct loggp *p, uint64_t k, uint64_t s, uint64_t P);

/*
 * Returns the time of a broadcast in segments of s bytes along a binary tree (eq. 93). The time is
 * exact if s divides k and P = 2^h - 1. Otherwise it is an upper bound, the time of a tree whose
 * levels are all full.
 */
double collective_tree(const struct loggp *p, uint64_t k, uint64_t s, uint64_t P);

/*
 * Returns the time of a broadcast by a scatter of ceil(k/P) bytes to each rank and then an
 * allgather in a ring (METHODS 32). The time is exact if P is a power of 2 that divides k, and g <=
 * A_1.
 */
double collective_scatter_ring(const struct loggp *p, uint64_t k, uint64_t P);

/*
 * Returns a segment size, 1 to k bytes, with which the time of a broadcast along a chain is within
 * 2 % of the minimum (METHODS 33).
 */
uint64_t collective_chain_segment(const struct loggp *p, uint64_t k, uint64_t P);

/* Returns the best segment size for the binary tree, found by trying sizes. */
uint64_t collective_best_segment_B(const struct loggp *p, uint64_t k, uint64_t P);

/* ---- FFT ---- */

/*
 * Returns the communication time of an n-point FFT with b bytes per point, in bulk messages
 * (METHODS 28). n and P are powers of two, P <= n. Only the members `block` and `hybrid` of the
 * result are set.
 */
struct fft_costs collective_fft(const struct loggp *p, double b, double n, uint64_t P);

#endif
