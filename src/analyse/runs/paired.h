/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two commands that were run in blocks; each block has one run of each command. Judges the
 * ratio of their costs at each point, and all points together (RUNS.md, (R2)-(R8)). The statistical
 * unit is the run, not the repetition. Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_PAIRED_H
#define NETBENCH_ANALYSE_RUNS_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

/* With fewer blocks than this there is no verdict. */
#define FEWEST_BLOCKS 6

/*
 * Differences ln(cost of B) - ln(cost of A), (R2): d[point * blocks + block], positive if B is
 * slower; NaN where a run has no value. Owned by the caller.
 */
struct run_blocks {
	size_t points, blocks;
	const double *d;
};

/* The comparison at one point, as costs and ratios, not logarithms. NaN: unknown. */
struct paired_point {
	double ratio, lo, hi; /* B/A with its 95 % interval (R3) */
	double upper; /* upper bound of the ratio at level 1 - alpha of this interim test */
	double effect; /* ln of the ratio */
	double half; /* half the width of the ratio's interval, in ln */
	double p; /* p-value of "the point does not differ", adjusted for all points (R5) */
	double p_worse; /* p-value of "B is slower by at most the margin", adjusted (R7) */
};

enum paired_verdict { PAIRED_WORSE, PAIRED_NOT_WORSE, PAIRED_CANNOT_TELL };

/*
 * Judges all points. `margin` is 0.05 for 5 %. `alpha` is the level of this interim test. Sets
 * out[point] for each of blocks->points points. Returns the verdict by (R7); with fewer than
 * FEWEST_BLOCKS blocks it is PAIRED_CANNOT_TELL.
 */
int paired_judge(const struct run_blocks *blocks, double margin, double alpha,
		 struct paired_point *out);

/*
 * Returns the level of the interim test at n blocks (R6). `used` is the sum of the levels of
 * earlier tests. The final test (`last`) gets what is left of 0.05. For other tests, returns NaN if
 * none is planned at n. With m commands, divide the level by m - 1.
 */
double interim_level(size_t n, double used, bool last);

/* Returns the next number of blocks above n at which a test is planned; 0 if there is none. */
size_t interim_next(size_t n);

/*
 * Estimates the number of blocks that decides all points (R8): the largest number that any
 * undecided point needs. Returns 0 if all points are decided, and (size_t)-1 if the number is more
 * than nine times the present one.
 */
size_t paired_needed(const struct run_blocks *blocks, double margin,
		     const struct paired_point *points);

#endif
