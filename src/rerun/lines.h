/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines that `netbench runs` starts. */
#ifndef NETBENCH_RERUN_LINES_H
#define NETBENCH_RERUN_LINES_H

#include <stddef.h>

enum { RUN_LINES = 26 }; /* at most: A to Z */

/* A command line as it is started, and its names. */
struct run_line {
	const char *program;
	char **argv; /* with --format json; ended by NULL */
	int argc; /* words that the user gave */
	char **given; /* these; borrowed */
	char *text; /* the same, with blanks between them */
	char label[40]; /* "shm", what tells it from the others; else "A", "B", ... */
};

struct run_lines {
	struct run_line *at;
	size_t n;
};

/*
 * Reads operands "-- A.. -- B..". A first word that is a command of netbench means this program.
 * ST_OK, ST_USAGE or ST_FAILED (reported); for run_lines_free in either case.
 */
int run_lines_read(struct run_lines *lines, int noperands, char **operands);
void run_lines_free(struct run_lines *lines);

#endif
