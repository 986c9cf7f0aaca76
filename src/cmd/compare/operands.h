/* SPDX-License-Identifier: Apache-2.0 */
/* The results that are given to compare, and how they are paired. */
#ifndef NETBENCH_CMD_COMPARE_OPERANDS_H
#define NETBENCH_CMD_COMPARE_OPERANDS_H

#include "analyse/compare/two.h"

/* All results given. A result of 'netbench runs' counts as the results of its runs. */
struct operands_read {
	struct operand {
		const char *path;
		json_t *doc;
		int file;		/* index of its file */
		bool second;		/* after "--" */
	} *at;
	size_t n;
	int files;
	bool several;			/* some file has several runs */
	bool grouped;			/* a "--" stands between files */
};

/* Reads all files. ST_OK, ST_USAGE or ST_FAILED (reported). Call operands_free in each case. */
int operands_read(struct operands_read *in, int n, char **operands);
void operands_free(struct operands_read *in);

/*
 * Pairs the results: in turns if `paired`; in two groups if there is a "--", or two files with
 * several runs; else each result with the first. all->two is for free(). ST_OK, ST_USAGE or
 * ST_FAILED (reported).
 */
int operands_arrange(const struct operands_read *in, bool paired, struct compared *all);

/*
 * Reads the result of 'netbench runs' that --spread names. Its measure must be m. *doc is for
 * json_decref. ST_OK or ST_USAGE (reported).
 */
int spread_read(const char *path, const struct measure *m, json_t **doc);

#endif
