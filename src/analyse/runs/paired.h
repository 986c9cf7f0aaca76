/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two commands that were run in blocks, each once in a block: what their runs say of the ratio of
 * their costs, point by point and of all points together (RUNS.md, (R2)-(R8)). The run is the
 * unit, not the repetition. Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_PAIRED_H
#define NETBENCH_ANALYSE_RUNS_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

/* Below this many blocks there is no verdict. */
#define FEWEST_BLOCKS 6

/*
 * Differences ln(cost of B) - ln(cost of A), (R2): d[point * blocks + block], positive if B is
 * slower; NaN where a run has no value. Owned by the caller.
 */
struct run_blocks {
	size_t points, blocks;
	const double *d;
};

/* What the blocks say of one point; costs and ratios, not logarithms. NaN: it cannot be told. */
struct paired_point {
	double ratio, lo, hi; /* B/A with its 95 % interval (R3) */
	double upper; /* upper end at level 1 - alpha of the look */
	double effect; /* ln of the ratio */
	double half; /* half the width of its interval, in ln */
	double p; /* that the point does not differ, adjusted for all points (R5) */
	double p_worse; /* that B is not slower by more than the margin, likewise (R7) */
};

enum paired_verdict { PAIRED_WORSE, PAIRED_NOT_WORSE, PAIRED_CANNOT_TELL };

/*
 * Judges all points: `margin` is 0.05 for 5 %, `alpha` the level of this look. `out` has
 * blocks->points entries, filled in. Returns the verdict (R7), PAIRED_CANNOT_TELL with fewer than
 * FEWEST_BLOCKS.
 */
int paired_judge(const struct run_blocks *blocks, double margin, double alpha,
		 struct paired_point *out);

/*
 * The looks of (R6): the level of a look at n blocks, of which `used` has been spent by the looks
 * before. A last look gets what is left of 0.05. NaN if there is no look at n, unless it is the
 * last one. With m commands divide by m - 1.
 */
double look_level(size_t n, double used, bool last);

/* The next n after `n` at which there is a look, or 0 after the last. */
size_t look_next(size_t n);

/*
 * About how many blocks are needed until each point is decided (R8): the largest over the points
 * that are not. 0 if all are decided; (size_t)-1: more than nine times the present number.
 */
size_t paired_needed(const struct run_blocks *blocks, double margin,
		     const struct paired_point *points);

#endif
