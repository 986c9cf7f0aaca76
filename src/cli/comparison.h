/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Special comparison of two results of a command, for commands whose rows are of little use in a
 * comparison. `netbench compare` calls the functions below, writes the findings, and judges them by
 * --fail-if.
 */
#ifndef NETBENCH_CLI_COMPARISON_H
#define NETBENCH_CLI_COMPARISON_H

#include "result/report.h"

/* A finding: something that is slower or faster in B than in A by more than chance. */
struct change {
	char *text;			/* one sentence; freed by the comparer */
	double slower;			/* B's time divided by A's time */
};

struct comparison {
	/* results A and B, of the same version of the command's definition; borrowed */
	json_t *doc[2];
	const char *path[2];
	const char *measure;		/* value of --measure; NULL: all measures */
	enum rate_unit rates;
	/* the members below are set by make */
	const enum column_id *cols;	/* columns of the rows */
	size_t ncols;
	json_t *summary;		/* new reference */
	/* text for people, printed instead of a table; freed by the comparer */
	char *footer;
	struct change *change;
	size_t nchanges;
	const char *no_verdict;		/* why no verdict is possible; NULL if one is possible */
	void *own;			/* private data of the comparer */
};

struct comparer {
	/*
	 * Compares the results and fills in the members below `rates`. Returns ST_OK, or an exit
	 * status (reported). Call free in either case.
	 */
	int (*make)(struct comparison *c);
	/*
	 * Writes the rows of a record with the columns `cols` by report_row. Returns ST_OK, or the
	 * first fault of report_row.
	 */
	int (*rows)(const struct comparison *c, struct outlets *r, const struct record *rec);
	void (*free)(struct comparison *c);
};

#endif
