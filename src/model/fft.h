/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of the butterfly of an n-point FFT, radix 2, on P processors (METHODS 1.4). They
 * determine the processor of each row in each column, and the steps that need another processor's
 * points. Pure. Throughout, n and P are powers of two, 2 <= P <= n.
 */
#ifndef NETBENCH_MODEL_FFT_H
#define NETBENCH_MODEL_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * block: processor i has rows i n/P to (i+1) n/P - 1. cyclic: row i is on processor i mod P.
 * hybrid: cyclic for the first log2 n/P steps, then a remap, then block.
 */
enum fft_layout { FFT_BLOCK, FFT_CYCLIC, FFT_HYBRID, FFT_LAYOUTS };

extern const char *const fft_layouts[FFT_LAYOUTS];

/* Nodes of the butterfly that each processor computes, for any layout: (n/P) log2 n. */
uint64_t fft_butterflies(uint64_t n, uint64_t P);

/*
 * Communication costs of the layouts under a model. The members hybrid and hybrid_lecture are NaN
 * if more than one remap is needed (n/P < P).
 */
struct fft_costs {
	double block;		/* block or cyclic layout: log2 P columns are remote */
	double hybrid;		/* cyclic, one remap, block */
	double block_lecture;	/* formula of the lecture: (g n/P + L) log2 P */
	double hybrid_lecture;	/* formula of Culler et al. (1993): g (n/P - n/P^2) + L */
	double remaps;		/* remaps that the hybrid layout needs */
	bool lower_bound;	/* block really takes longer: g > L + 2o delays the next column */
};

/* A step from one column to the next: butterflies, or a remap, which only moves rows. */
struct fft_step {
	uint64_t distance;	/* between the two rows of a butterfly; 0: a remap */
	/* whether the layout is cyclic before and after the step; else it is block */
	bool cyclic[2];
};

#define FFT_STEPS_MOST 65

/*
 * Sets the steps of a layout: log2 n butterfly steps, and the remap of hybrid. Returns their
 * number, or 0 if one remap is not enough (n/P < P). The first butterflies join rows that are n/2
 * apart, the last ones join neighbours.
 */
size_t fft_steps(enum fft_layout layout, uint64_t n, uint64_t P, struct fft_step *steps);

/* The processor that has a row before a step (after = 0) or after it (after = 1). */
uint64_t fft_owner(const struct fft_step *s, int after, uint64_t n, uint64_t P, uint64_t row);

/*
 * The processor that has the other point which `row` needs in a step: the partner row's point, or
 * in a remap the same row's. If the row is local, this is its owner.
 */
uint64_t fft_source(const struct fft_step *s, uint64_t n, uint64_t P, uint64_t row);

/*
 * True if rows need points of other processors. In a butterfly step this holds for all rows or
 * none. In a remap it holds for all but some rows.
 */
bool fft_is_remote(const struct fft_step *s, uint64_t n, uint64_t P);

#endif
