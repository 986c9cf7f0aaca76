/* SPDX-License-Identifier: Apache-2.0 */
/* The results that compare is given, and how they stand to each other. */
#ifndef NETBENCH_CMD_COMPARE_OPERANDS_H
#define NETBENCH_CMD_COMPARE_OPERANDS_H

#include "analyse/compare/two.h"

/* A result of runs counts as the results of its runs. */
struct operands_read {
	struct operand {
		const char *path;
		json_t *doc;
		int file;		/* its number among the files */
		bool second;		/* behind "--" */
	} *at;
	size_t n;
	int files;
	bool several;			/* a file has several runs */
	bool grouped;			/* there is a "--" between files */
};

/* Reads all files. ST_OK, ST_USAGE or ST_FAILED (reported). For operands_free in either case. */
int operands_read(struct operands_read *in, int n, char **operands);
void operands_free(struct operands_read *in);

/*
 * Arranges them: in turns if `paired`; in groups if there is a "--", or two files with several
 * runs; else each against the first. all->two is for free(). ST_OK, ST_USAGE or ST_FAILED
 * (reported).
 */
int operands_arrange(const struct operands_read *in, bool paired, struct compared *all);

/*
 * Reads the result of runs that --spread names, whose measure must be the one compared. *doc is for
 * json_decref. ST_OK or ST_USAGE (reported).
 */
int spread_read(const char *path, const struct measure *m, json_t **doc);

#endif
