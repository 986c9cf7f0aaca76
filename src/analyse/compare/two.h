/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types for comparisons of a result A, point by point, with one or more results called B. match.c
 * pairs the rows for the same point and chooses the measure. judge.c compares the numbers of two
 * rows. sums.c counts the outcomes of all points.
 */
#ifndef NETBENCH_ANALYSE_COMPARE_TWO_H
#define NETBENCH_ANALYSE_COMPARE_TWO_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyse/finding.h"
#include "base/stats.h"
#include "result/columns.h"

/* Two results, one as A and one as B. */
enum { A, B };
struct two {
	const char *path[2];
	json_t *doc[2];
	/* with several runs: the next two results; NULL: no results follow */
	const struct two *next;
};

/*
 * How the results of A and B are arranged. EACH: one result of A, and one of each B. IN_TURNS: runs
 * in the order A B A B ..., which form blocks. IN_GROUPS: a group of runs of A and a group of runs
 * of B, without pairs.
 */
enum arrangement { EACH, IN_TURNS, IN_GROUPS };

/*
 * All results. EACH: an array of one struct two for each B, all with the same A. Otherwise: one
 * chain of structs. With groups of unequal size, the final structs of the chain have only one
 * result; their other result is NULL.
 */
struct compared {
	struct two *two;
	size_t n;		/* number of B's */
	enum arrangement as;
};

/* The column that is compared. */
struct measure {
	enum column_id id;
	size_t unit;		/* index into compared_units */
	bool rate;		/* true: the column is a rate, so more is better */
};

enum method { METHOD_NONE, METHOD_EXACT, METHOD_INTERVALS, METHOD_BOOTSTRAP, METHOD_EPOCHS,
	      METHOD_SPREAD, METHOD_BLOCKS, METHOD_GROUPS };
enum outcome { NOTHING_FOUND, FASTER, SLOWER, NO_DIFFERENCE, NOUTCOMES };

/* The limits of --fail-if. */
struct fail_if {
	bool asked;
	/*
	 * limit for each outcome: the command fails if the factor is at least this; NaN: no limit
	 */
	double factor[NOUTCOMES];
};

/* Why a pair of rows has no verdict. */
enum lack { LACK_NOTHING, LACK_VALUE, LACK_CONTENT, LACK_LOOPS, LACK_REPETITIONS, LACK_EPOCHS,
	    LACK_MEDIAN, LACK_RUNS, LACK_SPREAD, LACK_TURNS, LACK_APART, LACK_WIDE, NLACKS };

/* The rows of one point, and their comparison. */
struct row_pair {
	const struct two *two;		/* the results that contain the rows */
	json_t *row[2];		/* borrowed; NULL for a result that does not have the point */
	double value[2];		/* values of the measure; NaN: none */
	double ratio;			/* B divided by A; NaN: none */
	struct interval interval;	/* 95 % interval of the ratio; NaN: none */
	double slower;	/* B's time divided by A's: ratio, or for a rate 1/ratio; NaN: none */
	/* p-value of the hypothesis that the ratio is 1; NaN: none, or the ratio is exact */
	double p_value;
	enum method method;
	enum outcome outcome;
	/* whether the limit of --fail-if is passed; also VERDICT_NO if no limit is set */
	enum verdict limit[NOUTCOMES];
	enum lack lack;		/* reason why there is no outcome */
	/* The result, A or B, that the reason is about. */
	int lacking;
	char remark[128];		/* the reason as text, or "only in A" */
};

/*
 * All points of A and of each B. For each B: the points of A in their order, then the points that
 * only B has. In a run_table the final point may be b_eff.
 */
struct row_pairs {
	enum column_id keys[NCOLUMNS]; /* ROLE_POINT columns with values that A and a B both have */
	/* number of keys; the first nvarying keys differ between points, or are size_B */
	size_t nkeys, nvarying;
	struct row_pair *pair;
	size_t n;
	bool score; /* true: the last pair is b_eff, and its rows are the summaries */
	/* number of rows that are for the same point as an earlier row of their file */
	size_t nalike;
	/*
	 * With --paired: rows of the later results. The row of pair i in the k-th later two (k = 1,
	 * 2, ...) is later[2 ((k-1) n' + i) + side], where n' is n without b_eff. NULL: there are
	 * no later results.
	 */
	json_t **later;
};

#endif
