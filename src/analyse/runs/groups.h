/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges runs that are not in blocks: those of one command, of two groups, and of a night against
 * earlier nights (RUNS.md, (R9)-(R13)). Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_GROUPS_H
#define NETBENCH_ANALYSE_RUNS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Median of n runs of one command with its 95 % interval (R10), as logarithms of costs. Takes y in
 * the order of the runs and sorts it. NaN: no interval; without runs no median either.
 */
struct run_median {
	double middle, lo, hi;
	bool depends;		/* runs depend on those before them (76): no interval */
};
struct run_median run_median(double *y, size_t n);

/*
 * How much n runs of one command differ (R9), from logarithms of their costs. NaN with fewer than
 * two runs.
 */
struct run_spread {
	double s;		/* root mean square of successive differences */
	double nu;		/* its degrees of freedom */
};
struct run_spread run_spread(const double *y, size_t n);

/*
 * The smallest slowdown that this number of blocks detects with a probability of 80 % (R9); 0.05 is
 * 5 %. For 8 to 90 blocks.
 */
double visible_slowdown(struct run_spread spread, size_t blocks);

/*
 * The smallest difference between the logarithms of two runs' costs that is a finding, if `points`
 * points are judged (R11).
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
 * Comparison of the groups at one point (R12): the shift of B against A as a ratio with its 95 %
 * interval. NaN with too few runs.
 */
struct group_shift {
	double ratio, lo, hi;
	double p; /* p-value of no difference at the point, adjusted for all points */
};

/* Fills in one shift for each of groups->points points. */
void groups_judge(const struct run_groups *groups, struct group_shift *out);

/* The fewest earlier nights for a verdict, and for each of the rules of (R13). */
enum { FEWEST_NIGHTS = 5, NIGHTS_BY_RANK = 19, NIGHTS_AGAINST_WEEK = 26 };

/* The gate's judgement of a night. */
struct night {
	double p;		/* share of nights that were as bad; NaN: too few nights */
	size_t point;		/* the worst point */
	double excess;		/* ln of its excess over the median of the nights before */
	int alarm;		/* 1 if this is an alarm with the given margin, else 0 */
};

/*
 * Judges a night against the `nights` nights before it (R13). y[night * points + point] has the
 * judged night last. `margin` is 0.05 for 5 %.
 */
void night_judge(const double *y, size_t nights, size_t points, double margin, struct night *out);

#endif
