/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of HLRS: rings of neighbours and rings in random order, each measured by two methods. */
#ifndef NETBENCH_CMD_BEFF_HLRS_H
#define NETBENCH_CMD_BEFF_HLRS_H

#include "cli/command.h"
#include "measure/measure.h"

extern const struct mode beff_hlrs;
#define HLRS_RINGS 6
#define HLRS_RANDOM 30
#define HLRS_PATTERNS (HLRS_RINGS + HLRS_RANDOM)
#define HLRS_METHODS 2

extern const struct columns *const hlrs_columns;

/*
 * A pattern: the ranks divided into rings, in which each rank exchanges messages with its
 * neighbours.
 */
struct hlrs_pattern {
	struct groups rings;
	char name[16], text[48];
	int messages;		/* messages that all ranks together send in one iteration */
};

/*
 * The patterns and their bandwidths, B/s. b[method][pattern * nsizes + size] is the bandwidth of a
 * pattern and size with a method; 0: not measured.
 */
struct hlrs {
	int ranks;
	size_t nsizes;
	struct hlrs_pattern patterns[HLRS_PATTERNS];
	double *b[HLRS_METHODS];
};

void hlrs_free(struct hlrs *h);

/*
 * Sets the row of a pattern. Its bandwidth is the mean over the sizes, with the faster method at
 * each size. Returns false if a size is missing. The caller must release row->samples in either
 * case.
 */
bool hlrs_row(const struct hlrs *h, size_t pattern, const struct record *rec, struct row *row);

/*
 * Reads the rows of a result of --rule hlrs, measured by `ranks` ranks. Returns ST_OK, ST_USAGE if
 * samples are missing, or ST_FAILED without memory (reported). Call hlrs_free in all cases.
 */
int hlrs_read(struct hlrs *h, int ranks, const json_t *rows, const char *path);

/* Like beff_conclude, for rule hlrs. */
char *hlrs_conclude(const struct hlrs *h, json_t *summary, enum rate_unit rates);

#endif
