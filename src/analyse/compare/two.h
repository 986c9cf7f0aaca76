/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result, A, is compared with one or more others, each called B, point by point. match.c pairs
 * the rows of the same point and chooses the measure. judge.c compares the numbers of two rows.
 * sums.c counts the results of all points. This header has only types.
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
	const struct two *next;	/* several runs: the next two results; NULL: these are the last */
};

/*
 * How the results of A and B are arranged. EACH: one result of A and one of each B. IN_TURNS: A B A
 * B ..., as blocks. IN_GROUPS: all of A and all of B, in no order.
 */
enum arrangement { EACH, IN_TURNS, IN_GROUPS };

/*
 * All results. EACH: one struct two for each B, all with the same A. Otherwise one chain. With
 * groups of unequal size the last members of the chain have only one result; the other is NULL.
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
	bool rate;		/* more is better */
};

enum method { METHOD_NONE, METHOD_EXACT, METHOD_INTERVALS, METHOD_BOOTSTRAP, METHOD_EPOCHS,
	      METHOD_SPREAD, METHOD_BLOCKS, METHOD_GROUPS };
enum outcome { NOTHING_FOUND, FASTER, SLOWER, NO_DIFFERENCE, NOUTCOMES };

/* The limits of --fail-if. */
struct fail_if {
	bool asked;
	double factor[NOUTCOMES]; /* a factor of at least this fails the command; NaN: never */
};

/* Why a pair of rows has no verdict. */
enum lack { LACK_NOTHING, LACK_VALUE, LACK_CONTENT, LACK_LOOPS, LACK_REPETITIONS, LACK_EPOCHS,
	    LACK_MEDIAN, LACK_RUNS, LACK_SPREAD, LACK_TURNS, LACK_APART, LACK_WIDE, NLACKS };

/* The rows of one point, and their comparison. */
struct row_pair {
	const struct two *two;		/* the results that the rows are from */
	json_t *row[2];		/* borrowed; NULL in the file that does not have the point */
	double value[2];		/* values of the measure; NaN: none */
	double ratio;			/* B divided by A; NaN: none */
	struct interval interval;	/* 95 % interval of the ratio; NaN: none */
	double slower;	/* B's time divided by A's: ratio, or for a rate 1/ratio; NaN: none */
	double p_value;	/* p-value of a ratio of 1; NaN: none, or the ratio is exact */
	enum method method;
	enum outcome outcome;
	/* whether the limit of --fail-if is passed; VERDICT_NO: no limit is set */
	enum verdict limit[NOUTCOMES];
	enum lack lack;		/* reason why there is no outcome */
	/* The side, A or B, that the reason is about. */
	int lacking;
	char remark[128];		/* the reason as text, or "only in A" */
};

/*
 * All points of both files: those of A in their order, then those that only B has; the same for
 * each B. In a run_table the last one may be b_eff.
 */
struct row_pairs {
	enum column_id keys[NCOLUMNS];	/* ROLE_POINT columns with values that A and a B have */
	size_t nkeys, nvarying;	/* the first nvarying differ between points, or are size_B */
	struct row_pair *pair;
	size_t n;
	bool score;			/* the last one is b_eff, with summaries in place of rows */
	size_t nalike;	/* number of rows that repeat the point of an earlier row of their file */
	/*
	 * Rows of the later results, with --paired. The row of pair i in turn k = 1, 2, ... is at 2
	 * ((k-1) n' + i) + side, where n' is n without b_eff. Or NULL.
	 */
	json_t **later;
};

#endif
