/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result, A, is compared with one or more others, each called B, point by point. match.c pairs
 * the rows of the same point and chooses the measure, judge.c compares the numbers of two rows,
 * sums.c sums up all points. Types only.
 */
#ifndef NETBENCH_ANALYSE_COMPARE_TWO_H
#define NETBENCH_ANALYSE_COMPARE_TWO_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyse/finding.h"
#include "base/stats.h"
#include "result/columns.h"

/* Two results. */
enum { A, B };
struct two {
	const char *path[2];
	json_t *doc[2];
	const struct two *next;		/* in turns and in groups: the next two; NULL: the last */
};

/*
 * How results stand to each other. Each: one result of A and one of each B. In turns: A B A B ...,
 * as blocks. In groups: all of A and all of B, in no order.
 */
enum arrangement { EACH, IN_TURNS, IN_GROUPS };

/*
 * All results. Each: as many twos as B's, with the same A. Else one chain; groups may end with twos
 * that have one result alone, and NULL for the other.
 */
struct compared {
	struct two *two;
	size_t n;		/* B's */
	enum arrangement as;
};

/* What is compared. */
struct measure {
	enum column_id id;
	size_t unit;		/* index into compared_units */
	bool rate;		/* more is better */
};

enum method { METHOD_NONE, METHOD_EXACT, METHOD_INTERVALS, METHOD_BOOTSTRAP, METHOD_EPOCHS,
	      METHOD_SPREAD, METHOD_BLOCKS, METHOD_GROUPS };
enum outcome { NOTHING_FOUND, FASTER, SLOWER, NO_DIFFERENCE, NOUTCOMES };

/* What --fail-if asks for. */
struct fail_if {
	bool asked;
	double factor[NOUTCOMES];	/* at least this fails the command; NaN: never */
};

/* Why a pair of rows has no verdict. */
enum lack { LACK_NOTHING, LACK_VALUE, LACK_CONTENT, LACK_LOOPS, LACK_REPETITIONS, LACK_EPOCHS,
	    LACK_MEDIAN, LACK_RUNS, LACK_SPREAD, LACK_TURNS, LACK_APART, LACK_WIDE, NLACKS };

/* The rows of one point. */
struct row_pair {
	const struct two *two;		/* the results that they are of */
	json_t *row[2];		/* borrowed; NULL in the file that does not have the point */
	double value[2];		/* of the measure; NaN: none */
	double ratio;			/* of B to A; NaN: none */
	struct interval interval;	/* of the ratio, 95 %; NaN: none */
	double slower;		/* B's time over A's: ratio, or for a rate 1/ratio; NaN: none */
	double p_value;			/* of a ratio of 1; NaN: none, or it is exact */
	enum method method;
	enum outcome outcome;
	enum verdict limit[NOUTCOMES];	/* past that of --fail-if; VERDICT_NO: none is asked */
	enum lack lack;		/* the reason without an outcome, and its side */
	int lacking;
	char remark[128];		/* the same as text, or "only in A" */
};

/*
 * All points of both files, in the order of A, then those that only B has; so for each B. Of a
 * run_table b_eff may be the last one.
 */
struct row_pairs {
	enum column_id keys[NCOLUMNS];	/* ROLE_POINT columns of A and a B that are not all empty */
	size_t nkeys, nvarying;	/* the first nvarying differ between points, or are size_B */
	struct row_pair *pair;
	size_t n;
	bool score;			/* the last is b_eff, with summaries in place of rows */
	size_t nalike;			/* rows of the same point as an earlier one of their file */
	/*
	 * --paired: rows of pair i in turn k = 1, 2, ... at 2 ((k-1) n' + i) + side, where n'
	 * leaves out b_eff; or NULL
	 */
	json_t **later;
};

#endif
