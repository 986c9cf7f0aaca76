/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats of the files that --from takes, line by line. A format is a constant in its own file,
 * which from.c lists. The first line that one of them recognises decides.
 */
#ifndef NETBENCH_CMD_MAP_READ_FORMAT_H
#define NETBENCH_CMD_MAP_READ_FORMAT_H

#include "analyse/map/study/rows.h"

/* Units of a matrix without any, as the choices of --from-unit. */
enum from_unit { FROM_BPS, FROM_MBPS, FROM_MIBPS, FROM_GBITPS, FROM_US, NFROM_UNITS };

/* A list of words that are copies, for words_free. */
struct words {
	char **at;
	size_t n;
};

/* A file that is being read. */
struct reading {
	struct study_rows rows;
	size_t nfiles;			/* of the command line */
	uint32_t visits_before;		/* of the files before; this one has the next */
	enum from_unit unit;
	bool unit_given;
	const struct map_format *format;	/* NULL: no line has told it */
	struct words before, names;	/* the line before the format began; of its rows */
	void *own;			/* of the format, which from.c frees */
	size_t values;			/* values that were put in, of two hosts each */
	bool counts;			/* pairs without a value are told */
};

struct map_format {
	const char *name;	/* "a matrix": what the file is */
	/* True if a line, cut into cells, begins this format. */
	bool (*begins)(const struct reading *r, char **cells, size_t n);
	/* Takes a line, also the one that begins. ST_* (reported). */
	int (*take)(struct reading *r, char **cells, size_t n, size_t line);
	/* Takes the end of the file; NULL: nothing is left to do. ST_* (reported). */
	int (*end)(struct reading *r);
	const char *only;	/* what it measures, where that says less; or NULL */
};

/* Copies words. False without memory. */
bool words_copy(struct words *to, char **at, size_t n);
void words_free(struct words *w);

/*
 * The number in a cell; NaN for an empty one, "-", "nan" and 0, which mean no answer. False if it
 * is something else.
 */
bool format_number(const char *text, double *value);

/* As rows_put, and counts the values. */
int format_put(struct reading *r, const struct measurement *o, size_t line);

/* The host of a rank without a name, "rank3". ST_* (reported). */
int format_take_rank(struct reading *r, size_t rank, size_t line, uint32_t *host);

#endif
