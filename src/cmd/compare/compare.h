/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two results, A and B, point by point: compare.c has the command, compare_match.c finds rows of the same point,
 * compare_judge.c says what the numbers of two rows say, compare_diff.c in what the runs differ otherwise, and
 * compare_report.c writes it.
 */
#ifndef NETBENCH_CMD_COMPARE_COMPARE_H
#define NETBENCH_CMD_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/report.h"
#include "base/stats.h"

/* The two results. */
enum { A, B };
struct two {
	const char *path[2];
	json_t *doc[2];
};

/* What is compared. */
struct measure {
	enum column_id id;
	size_t unit;		/* index into compared_units */
	bool rate;		/* more is better */
};

enum method { METHOD_NONE, METHOD_EXACT, METHOD_INTERVALS, METHOD_BOOTSTRAP, METHOD_EPOCHS };
enum finding { FOUND_NOTHING, FASTER, SLOWER, NO_DIFFERENCE };
#define NFINDINGS (NO_DIFFERENCE + 1)
extern const char *const method_names[], *const finding_names[];

/* One point. */
struct pair {
	json_t *row[2];			/* borrowed; NULL in the file that does not have the point */
	double value[2];		/* of the measure; NaN: none */
	double ratio;			/* of B to A; NaN: none */
	struct interval interval;	/* of the ratio, 95 %; NaN: none */
	double slower;			/* how many times as slow B is: ratio, or for a rate 1/ratio; NaN: none */
	enum method method;
	enum finding finding;
	char remark[128];		/* why there is no finding */
};

/* All points of both, in the order of A, then those that only B has. */
struct points {
	enum column_id keys[NCOLUMNS];	/* columns that say which point it is, and are not empty everywhere */
	size_t nkeys, nvarying;		/* of which the first so many differ between points, size_B among them */
	struct pair *pair;
	size_t n;
	size_t nalike;			/* rows that no column tells from an earlier one of their file */
};

/*
 * Finds the rows of the same point: those that agree in all columns of ROLE_POINT which both results have. Of several
 * that are alike the first belongs to the first. ST_OK, or ST_FAILED without memory; free with points_free in either
 * case.
 */
int points_match(const struct two *two, struct points *p);
void points_free(struct points *p);

/* A cell of a pair's rows as a value of a column; it lives as long as the rows. */
struct value pair_cell(const struct pair *pair, enum column_id id);

/* "size_B 64, window 16": in what it differs from other points. Returns buf. */
char *point_name(const struct points *p, const struct pair *pair, char *buf, size_t len);

/* "B/A 1.05 (1.02 to 1.08)", without an interval where there is none or it is exact. Returns buf. */
char *ratio_text(const struct pair *pair, char *buf, size_t len);

/* Fills a pair whose rows are set. */
void pair_judge(const struct two *two, const struct measure *m, struct pair *pair);

/*
 * In what two runs differ besides their numbers: an object from path ("host.kernel", "options.ci") to [of A, of B].
 * Members that only one has are not among it, nor is what differs each time. Appends a text for each section to
 * `warnings`. New reference.
 */
json_t *differences(const struct two *two, json_t *warnings);

/* The points in sum. */
struct sums {
	size_t findings[NFINDINGS], only[2];
	size_t ncompared;
	const struct pair **compared;	/* those with a ratio, by rising `slower` */
};

/* Sums up pairs that have been judged. ST_OK, or ST_FAILED without memory; free with sums_free in either case. */
int sums_make(struct sums *sums, const struct points *p);
void sums_free(struct sums *sums);

/* Writes all of it where --format and --output say, and warnings on standard error. ST_OK, ST_USAGE or ST_FAILED. */
int compare_report(const struct two *two, const struct points *p, const struct measure *m, const struct sums *sums);

#endif
