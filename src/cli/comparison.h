/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a command compares two of its results by itself, where row by row would say little. `netbench
 * compare` asks it, writes what it finds, and judges that by --fail-if.
 */
#ifndef NETBENCH_CLI_COMPARISON_H
#define NETBENCH_CLI_COMPARISON_H

#include "result/report.h"

/* Something that is slower or faster in B than in A, and not by chance. */
struct change {
	char *text;			/* a sentence; for free() */
	double slower;			/* B's time over A's */
};

struct comparison {
	json_t *doc[2];			/* A and B, of the same definition; borrowed */
	const char *path[2];
	const char *measure;		/* what --measure names; NULL: all */
	enum rate_unit rates;
	/* found */
	const enum column_id *cols;	/* of the rows */
	size_t ncols;
	json_t *summary;		/* new reference */
	char *footer;			/* what people read, in place of a table; for free() */
	struct change *change;
	size_t nchanges;
	const char *no_verdict;		/* why nothing can be judged; NULL: something is */
	void *own;			/* of the command */
};

struct comparer {
	/* Compares. ST_OK, or an exit status (reported); free in either case. */
	int (*make)(struct comparison *c);
	/* Writes the rows of a record with these columns. ST_OK, or as report_row. */
	int (*rows)(const struct comparison *c, struct outlets *r, const struct record *rec);
	void (*free)(struct comparison *c);
};

#endif
