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

#include "base/stats.h"
#include "result/columns.h"

/* Two results. */
enum { A, B };
struct two {
	const char *path[2];
	json_t *doc[2];
	const struct two *next;		/* with --paired: the next two in time; NULL: the last */
};

/* All results: the same A for each B. With several B no `next` is set. */
struct compared {
	struct two *two;
	size_t n;		/* B's */
};

/* What is compared. */
struct measure {
	enum column_id id;
	size_t unit;		/* index into compared_units */
	bool rate;		/* more is better */
};

enum method { METHOD_NONE, METHOD_EXACT, METHOD_INTERVALS, METHOD_BOOTSTRAP, METHOD_EPOCHS,
	      METHOD_PAIRS };
enum outcome { NOTHING_FOUND, FASTER, SLOWER, NO_DIFFERENCE, NOUTCOMES };

/* Why a pair of rows has no verdict. */
enum lack { LACK_NOTHING, LACK_VALUE, LACK_CONTENT, LACK_LOOPS, LACK_REPETITIONS, LACK_EPOCHS,
	    LACK_MEDIAN, LACK_TURNS, LACK_MEMORY, NLACKS };

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
	bool stands;			/* the outcome, among all points */
	enum lack lack;		/* the reason without an outcome, and its side */
	int lacking;
	char remark[128];		/* the same as text, or "only in A" */
};

/* All points of both files, in the order of A, then those that only B has; so for each B. */
struct row_pairs {
	enum column_id keys[NCOLUMNS];	/* ROLE_POINT columns of A and a B that are not all empty */
	size_t nkeys, nvarying;	/* the first nvarying differ between points, or are size_B */
	struct row_pair *pair;
	size_t n;
	size_t nalike;			/* rows of the same point as an earlier one of their file */
	/* --paired: rows of pair i in turn k = 1, 2, ... at 2 ((k-1) n + i) + side; or NULL */
	json_t **later;
};

#endif
