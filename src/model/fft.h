/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of the butterfly of an n-point FFT, radix 2, on P processors (METHODS 1.4): the processor
 * of each row in each column, and the steps that need another processor's points. Pure. Throughout
 * n and P are powers of two, 2 <= P <= n.
 */
#ifndef NETBENCH_MODEL_FFT_H
#define NETBENCH_MODEL_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * block: the i-th n/P rows are on processor i. cyclic: row i is on processor i mod P. hybrid:
 * cyclic for the first log2 n/P steps, then block, with a remap between the two.
 */
enum fft_layout { FFT_BLOCK, FFT_CYCLIC, FFT_HYBRID, FFT_LAYOUTS };

extern const char *const fft_layouts[FFT_LAYOUTS];

/* Nodes of the butterfly that each processor computes, in any layout: (n/P) log2 n. */
uint64_t fft_butterflies(uint64_t n, uint64_t P);

/*
 * Communication of the layouts under a model. The members of hybrid are NaN where it takes more
 * than one remap (n/P < P).
 */
struct fft_costs {
	double block;		/* block or cyclic layout: log2 P columns are remote */
	double hybrid;		/* cyclic, one remap, block */
	double block_lecture;	/* as the lecture prints it: (g n/P + L) log2 P */
	double hybrid_lecture;	/* as Culler et al. (1993) do: g (n/P - n/P^2) + L */
	double remaps;		/* remaps that the hybrid layout needs */
	bool lower_bound;	/* block takes longer: g > L + 2o delays the next column */
};

/* A step from a column to the next: butterflies, or a remap, which only moves rows. */
struct fft_step {
	uint64_t distance;	/* between two rows that become two new ones; 0: a remap */
	bool cyclic[2];		/* the layout before and after, else block */
};

#define FFT_STEPS_MOST 65

/*
 * Sets the steps of a layout: log2 n, and the remap of hybrid. Returns their number, or 0 if one
 * remap is not enough (n/P < P). The first butterflies join rows n/2 apart, the last ones
 * neighbours.
 */
size_t fft_steps(enum fft_layout layout, uint64_t n, uint64_t P, struct fft_step *steps);

/* The processor that has a row before a step (0) or after it (1). */
uint64_t fft_owner(const struct fft_step *s, int after, uint64_t n, uint64_t P, uint64_t row);

/*
 * The processor with the other point that a row after the step needs: the partner row's point, or
 * the same row's before a remap. It is the row's owner if the row is local.
 */
uint64_t fft_source(const struct fft_step *s, uint64_t n, uint64_t P, uint64_t row);

/* True if rows need points of other processors: all rows, or all but some in a remap. */
bool fft_is_remote(const struct fft_step *s, uint64_t n, uint64_t P);

#endif
