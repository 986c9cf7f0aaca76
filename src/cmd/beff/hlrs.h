/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of HLRS: rings of neighbours and of random positions, each measured by two methods. */
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

/* Rings of neighbours. */
struct hlrs_pattern {
	struct groups rings;
	char name[16], text[48];
	int messages;		/* of all ranks in one iteration */
};

/*
 * Bandwidth of each pattern and size by each method, B/s; [pattern * nsizes + size], 0: not
 * measured.
 */
struct hlrs {
	int ranks;
	size_t nsizes;
	struct hlrs_pattern patterns[HLRS_PATTERNS];
	double *b[HLRS_METHODS];
};

void hlrs_free(struct hlrs *h);

/*
 * Sets a pattern's row: its bandwidth is the mean over the sizes of the better method. False if a
 * size is missing. The caller drops row->samples in either case.
 */
bool hlrs_row(const struct hlrs *h, size_t pattern, const struct record *rec, struct row *row);

/*
 * Reads the rows of a result of --rule hlrs that `ranks` ranks have measured. ST_OK, ST_USAGE if
 * their samples are missing, or ST_FAILED without memory (reported); hlrs_free is for all of these.
 */
int hlrs_read(struct hlrs *h, int ranks, const json_t *rows, const char *path);

/* As beff_conclude. */
char *hlrs_conclude(const struct hlrs *h, json_t *summary, enum rate_unit rates);

#endif
