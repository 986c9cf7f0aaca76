/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges runs that are not in blocks: the runs of one command, two groups of runs, and a night of
 * runs against earlier nights (RUNS.md, (R9)-(R13)). Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_GROUPS_H
#define NETBENCH_ANALYSE_RUNS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Median of n runs of one command, with its 95 % interval (R10), as logarithms of costs. y must be
 * in the order of the runs; it is sorted afterwards. NaN: no interval; the median is NaN only
 * without runs.
 */
struct run_median {
	double middle, lo, hi;
	bool depends; /* true: runs depend on earlier runs (76), so there is no interval */
};
struct run_median run_median(double *y, size_t n);

/*
 * Spread: how much n runs of one command differ (R9). y contains the logarithms of their costs. NaN
 * with fewer than two runs.
 */
struct run_spread {
	double s;		/* root mean square of successive differences */
	double nu;		/* degrees of freedom of s */
};
struct run_spread run_spread(const double *y, size_t n);

/*
 * Returns the smallest slowdown that this number of blocks, 8 to 90, detects with a probability of
 * 80 % (R9); 0.05 is 5 %.
 */
double visible_slowdown(struct run_spread spread, size_t blocks);

/*
 * Returns the limit above which the difference of two runs is a finding, if `points` points are
 * judged (R11). It is a difference between logarithms of costs.
 */
double finding_limit(struct run_spread spread, size_t points);

/*
 * Two groups of runs: logarithms of costs a[point * na + run], and b[point * nb + run]. The caller
 * owns them.
 */
struct run_groups {
	size_t points, na, nb;
	const double *a, *b;
};

/*
 * Comparison of the groups at one point (R12): the shift from A to B, as the ratio B/A of costs,
 * with its 95 % interval. NaN with too few runs.
 */
struct group_shift {
	double ratio, lo, hi;
	double p; /* p-value of no difference at the point, adjusted for all points */
};

/* Sets out[point] for each of groups->points points. */
void groups_judge(const struct run_groups *groups, struct group_shift *out);

/*
 * Fewest earlier nights that (R13) needs: for a verdict, for the rule by rank, and for the rule
 * relative to the week before.
 */
enum { FEWEST_NIGHTS = 5, NIGHTS_BY_RANK = 19, NIGHTS_AGAINST_WEEK = 26 };

/* The gate's judgement of a night. */
struct night {
	double p;		/* share of nights that were at least as bad; NaN: too few nights */
	size_t point;		/* the worst point */
	double excess; /* excess of its cost over the median of the nights before, as a logarithm */
	int alarm;		/* 1 if the night is an alarm at the given margin, else 0 */
};

/*
 * Judges a night against the `nights` nights before it (R13). y[night * points + point] contains
 * the values of all these nights; the judged night is the final one. `margin` is 0.05 for 5 %.
 */
void night_judge(const double *y, size_t nights, size_t points, double margin, struct night *out);

#endif
