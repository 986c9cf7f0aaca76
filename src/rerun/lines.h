/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines that `netbench runs` starts. */
#ifndef NETBENCH_RERUN_LINES_H
#define NETBENCH_RERUN_LINES_H

#include <stddef.h>

enum { RUN_LINES = 26 }; /* largest number of command lines: A to Z */

/* A command line, and its names in messages and results. */
struct run_line {
	const char *program;
	char **argv; /* the words to start, including --format json; NULL ends them */
	int argc; /* number of words that the user gave */
	char **given; /* the words that the user gave; borrowed */
	char *text; /* the words that the user gave, joined by blanks */
	/* a word that only this line has ("shm"); if there is no such word: "A", "B", ... */
	char label[40];
};

struct run_lines {
	struct run_line *at;
	size_t n;
};

/*
 * Reads command lines A, B, ... from the operands "-- A.. -- B..". If the first word of a line is a
 * command of netbench, the line will run this netbench program. Returns ST_OK, ST_USAGE or
 * ST_FAILED (reported). Call run_lines_free in any case.
 */
int run_lines_read(struct run_lines *lines, int noperands, char **operands);
void run_lines_free(struct run_lines *lines);

#endif
