/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result, A, and one or more that are compared with it, each of them B, point by point: compare.c
 * has the command, match.c pairs the rows of the same point, judge.c compares the numbers of two
 * rows, diff.c finds how the runs differ otherwise, write.c writes it all. own.c has those commands
 * compare their results that do so by themselves.
 */
#ifndef NETBENCH_CMD_COMPARE_COMPARE_H
#define NETBENCH_CMD_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/command.h"
#include "cli/comparison.h"
#include "base/stats.h"

/* Two results. */
enum { A, B };
struct two {
	const char *path[2];
	json_t *doc[2];
	const struct two *next;		/* with --paired: those that were taken next; NULL: none */
};

/* All results: for each B the same A, and of several B none that was taken next. */
struct all {
	const struct settings *st;
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
enum finding { FOUND_NOTHING, FASTER, SLOWER, NO_DIFFERENCE };

/* Why a pair of rows has no verdict. */
enum lack { LACK_NOTHING, LACK_VALUE, LACK_CONTENT, LACK_LOOPS, LACK_REPETITIONS, LACK_EPOCHS,
	    LACK_MEDIAN, LACK_TURNS, LACK_MEMORY, NLACKS };
#define NFINDINGS (NO_DIFFERENCE + 1)
extern const char *const method_names[], *const finding_names[];

/* The factor from which on a finding fails the command; NaN: never. */
struct fail_limits {
	double factor[NFINDINGS];
};

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
	enum finding finding;
	bool stands;			/* the finding, among all points */
	enum lack lack;		/* why there is no finding, and in which file */
	int lacking;
	char remark[128];		/* the same as text, or that a file does not have it */
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

/*
 * Pairs the rows of the same point of A and each B: those that agree in all ROLE_POINT columns that
 * both results have. If a file has several of one point, they are paired in their order. ST_OK, or
 * ST_FAILED without memory (reported); free with points_free in either case. Finds the same points
 * in the results that were taken later (two->next), by the keys of the first.
 */
int points_match(const struct all *all, struct row_pairs *p);
void points_free(struct row_pairs *p);

/* A column's cell of the pair's first row that is there; a text lives as long as the rows. */
struct value pair_cell(const struct row_pair *pair, enum column_id id);

/* "size_B 64, window 16": the columns in which points differ. Returns buf. */
char *point_name(const struct row_pairs *p, const struct row_pair *pair, char *buf, size_t len);

/*
 * "B/A 1.05 (1.02 to 1.08)", without the interval if there is none or the ratio is exact. Returns
 * buf.
 */
#define RATIO_TEXT 128
char *ratio_text(const struct row_pair *pair, char *buf, size_t len);

/* Compares the rows of a pair and fills in the rest of it but `stands`. */
void pair_judge(const struct measure *m, struct row_pair *pair);

/*
 * The same for results that were taken in turns (--paired): by the median of the logarithms of the
 * pairs' ratios.
 */
void turns_judge(const struct measure *m, const struct row_pairs *p, struct row_pair *pair);

/* Sets which findings stand when all points are judged together. ST_OK or ST_FAILED (reported). */
int pairs_stand(struct row_pairs *p);

/*
 * How two runs differ besides their numbers: an object from path ("host.kernel", "options.ci") to
 * [of A, of B], without members that only one has or that differ between any two runs. Appends a
 * text for each section to `warnings`. New reference.
 */
json_t *differences(const struct two *two, json_t *warnings);

/* Totals over the points of one B, or of all. */
struct sums {
	size_t n;		/* points */
	size_t findings[NFINDINGS], only[2];
	size_t judged, standing;	/* by chance; findings that stand among all points */
	size_t ncompared;
	const struct row_pair **compared;	/* those with a ratio, sorted by `slower` */
};

/*
 * Sums up pairs that are compared, of one B, or with NULL of all. ST_OK, or ST_FAILED (reported);
 * free with sums_free in either case.
 */
int sums_make(struct sums *sums, const struct row_pairs *p, const struct two *two);
void sums_free(struct sums *sums);

/*
 * Writes everything as --format and --output say, and warnings on standard error. sums: of each B,
 * then of all. ST_OK, ST_USAGE or ST_FAILED.
 */
int compare_report(const struct all *all, const struct row_pairs *p, const struct measure *m,
		   const struct sums *sums);

/*
 * What was compared, as the environment; appends warnings, of points unless p is NULL, and says
 * them on standard error. New reference.
 */
json_t *compare_describe(const struct all *all, const struct row_pairs *p, json_t *warnings);

/*
 * Compares two results as their command does; `measure`: what --measure names, or NULL. Reports and
 * judges. ST_OK or an exit status.
 */
int compare_own(const struct all *all, const struct comparer *by, const char *measure,
		const struct fail_limits *limits);

#endif
