/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the results that the operands of compare name, and pairs them. */
#ifndef NETBENCH_CMD_COMPARE_OPERANDS_H
#define NETBENCH_CMD_COMPARE_OPERANDS_H

#include "analyse/compare/two.h"

/*
 * All results that the operands name. A result of 'netbench runs' counts as the results of its
 * runs.
 */
struct operands_read {
	struct operand {
		const char *path;
		json_t *doc;
		int file;		/* index of the file of the result */
		bool second;		/* true: the file comes after "--" */
	} *at;
	size_t n;
	int files;
	bool several;			/* at least one file has several runs */
	bool grouped;			/* a "--" stands between files */
};

/*
 * Reads all files. Returns ST_OK, ST_USAGE or ST_FAILED (reported). Call operands_free in each
 * case.
 */
int operands_read(struct operands_read *in, int n, char **operands);
void operands_free(struct operands_read *in);

/*
 * Pairs the results. If `paired`, A and B alternate. With a "--", or with two files of several
 * runs, there are two groups. Otherwise each result is paired with the first. Returns ST_OK,
 * ST_USAGE or ST_FAILED (reported). The caller frees all->two.
 */
int operands_arrange(const struct operands_read *in, bool paired, struct compared *all);

/*
 * Reads the result of 'netbench runs' that --spread names. Its measure must be m. Sets *doc to a
 * new reference. Returns ST_OK or ST_USAGE (reported).
 */
int spread_read(const char *path, const struct measure *m, json_t **doc);

#endif
