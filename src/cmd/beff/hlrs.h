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

/*
 * Makes the rings of so many ranks, the random ones from a seed. ST_OK or ST_FAILED; hlrs_free is
 * for either.
 */
int hlrs_make(struct hlrs *h, int ranks, uint64_t seed, size_t nsizes);
void hlrs_free(struct hlrs *h);

/* The mean over the sizes of the better method; NaN if a size is missing. */
double hlrs_bandwidth(const struct hlrs *h, size_t pattern);

/* A pattern's row; the caller drops row->samples. */
void hlrs_row(const struct hlrs *h, size_t pattern, const struct record *rec, struct row *row);

/* The rows of a result of --rule hlrs. ST_OK, or ST_USAGE if they are none (reported). */
int hlrs_take(struct hlrs *h, const json_t *rows, const char *path);

/* Sizes of the first row of such a result. */
size_t hlrs_count_sizes(const json_t *rows);

/* As beff_conclude. */
char *hlrs_conclude(const struct hlrs *h, json_t *summary, enum rate_unit rates);

#endif
