/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of the butterfly of an n-point FFT with radix 2 on P processors (METHODS 1.4). A layout
 * determines which processor has a row in each column. So the layout determines the steps that need
 * points of other processors. Pure. In all functions, n and P are powers of two, 2 <= P <= n.
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

/* Returns how many nodes of the butterfly each processor computes, in any layout: (n/P) log2 n. */
uint64_t fft_butterflies(uint64_t n, uint64_t P);

/*
 * Communication times of the layouts under a model. hybrid and hybrid_lecture are NaN if more than
 * one remap is needed (n/P < P).
 */
struct fft_costs {
	double block;		/* block or cyclic layout: log2 P columns are remote */
	double hybrid;		/* hybrid layout: cyclic, one remap, block */
	double block_lecture;	/* formula of the lecture: (g n/P + L) log2 P */
	double hybrid_lecture;	/* formula of Culler et al. (1993): g (n/P - n/P^2) + L */
	double remaps;		/* number of remaps that the hybrid layout needs */
	/* `block` is only a lower bound, because g > L + 2o delays the next column */
	bool lower_bound;
};

/*
 * A step from one column to the next: butterflies, or a remap, which only moves rows to other
 * processors.
 */
struct fft_step {
	uint64_t distance;	/* distance of the two rows of a butterfly; 0: a remap */
	/*
	 * cyclic[0]: the layout before the step is cyclic. cyclic[1]: the layout after the step is
	 * cyclic. A layout that is not cyclic is block.
	 */
	bool cyclic[2];
};

#define FFT_STEPS_MOST 65

/*
 * Writes the steps of a layout to `steps`: log2 n butterfly steps, and the remap of hybrid. Returns
 * their number, or 0 if one remap is not enough (n/P < P). The first butterfly step joins rows that
 * are n/2 apart. The final butterfly step joins neighbours.
 */
size_t fft_steps(enum fft_layout layout, uint64_t n, uint64_t P, struct fft_step *steps);

/* Returns the processor that has a row before a step (after = 0) or after it (after = 1). */
uint64_t fft_owner(const struct fft_step *s, int after, uint64_t n, uint64_t P, uint64_t row);

/*
 * Returns the processor that has the point which `row` needs in a step. In a butterfly step this
 * point is that of the partner row. In a remap it is that of the same row. If the row needs no
 * other processor, the function returns the row's owner.
 */
uint64_t fft_source(const struct fft_step *s, uint64_t n, uint64_t P, uint64_t row);

/*
 * Returns true if the step needs points of other processors. In a butterfly step, either all rows
 * need such points or none does. In a remap, all rows but some need them.
 */
bool fft_is_remote(const struct fft_step *s, uint64_t n, uint64_t P);

#endif
