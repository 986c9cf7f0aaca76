/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs without blocks: of one command, of two groups, and a night against those before it
 * (RUNS.md, (R9)-(R13)). Pure.
 */
#ifndef NETBENCH_ANALYSE_RUNS_GROUPS_H
#define NETBENCH_ANALYSE_RUNS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The median of n runs of one command with its 95 % interval (R10), from logarithms of their costs
 * in the order of the runs, which it sorts. NaN: it has none; without a run all are.
 */
struct run_median {
	double middle, lo, hi;
	bool depends;		/* runs depend on those before them (76): no interval */
};
struct run_median run_median(double *y, size_t n);

/* How n runs of one command differ (R9), from logarithms of their costs. NaN below two runs. */
struct run_spread {
	double s;		/* the root of the mean square of successive differences */
	double nu;		/* its degrees of freedom */
};
struct run_spread run_spread(const double *y, size_t n);

/*
 * The smallest slowdown, 0.05 for 5 %, that so many blocks show with a probability of 80 % (R9):
 * 8 to 90 blocks.
 */
double spread_visible(struct run_spread spread, size_t blocks);

/*
 * By how much the logarithm of one run's cost has to differ from another's to be a finding, of
 * `points` points (R11).
 */
double spread_limit(struct run_spread spread, size_t points);

/* Two groups of runs: logarithms of costs a[point * na + run], b likewise. Owned by the caller. */
struct run_groups {
	size_t points, na, nb;
	const double *a, *b;
};

/*
 * What they say of one point (R12): the shift of B against A as a ratio with its 95 % interval,
 * NaN with too few runs.
 */
struct group_shift {
	double ratio, lo, hi;
	double p; /* that the point does not differ, adjusted for all points */
};

/* Fills in groups->points shifts. */
void groups_judge(const struct run_groups *groups, struct group_shift *out);

/* The fewest nights before tonight for a verdict, and for each of the rules of (R13). */
enum { FEWEST_NIGHTS = 5, NIGHTS_BY_RANK = 19, NIGHTS_AGAINST_WEEK = 26 };

/* What the gate says of a night. */
struct night {
	double p;		/* share of nights that were as bad; NaN: too few nights */
	size_t point;		/* the worst */
	double excess;		/* ln of how far it is above the median of the nights before */
	int alarm;		/* whether it is an alarm by this margin */
};

/*
 * Tonight against the `nights` before it (R13): y[night * points + point], tonight last; `margin`
 * is 0.05 for 5 %.
 */
void night_judge(const double *y, size_t nights, size_t points, double margin, struct night *out);

#endif
