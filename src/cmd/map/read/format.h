/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats of files for --from, which are read line by line. A format is a constant in its own file,
 * which from.c lists. The format whose first line appears first applies.
 */
#ifndef NETBENCH_CMD_MAP_READ_FORMAT_H
#define NETBENCH_CMD_MAP_READ_FORMAT_H

#include "analyse/map/study/rows.h"

/* Units of the numbers in a matrix, in the order of the choices of --from-unit. */
enum from_unit { FROM_BPS, FROM_MBPS, FROM_MIBPS, FROM_GBITPS, FROM_US, NFROM_UNITS };

/* A list of copied words. Free with words_free. */
struct words {
	char **at;
	size_t n;
};

/* A file that is being read. */
struct reading {
	struct study_rows rows;
	size_t nfiles;			/* number of files on the command line */
	uint32_t visits_before;		/* visits in earlier files; this file has the next */
	enum from_unit unit;
	bool unit_given;
	const struct map_format *format;	/* NULL: not yet recognised */
	/* words of the line before the format began; names of its rows */
	struct words before, names;
	void *own;			/* state of the format; from.c frees it */
	size_t values;			/* values of pairs of different hosts so far */
	bool counts;			/* warn of pairs without a value */
};

struct map_format {
	const char *name;	/* what the file is, such as "a matrix" */
	/* Whether a line, cut into cells, begins this format. */
	bool (*begins)(const struct reading *r, char **cells, size_t n);
	/* Reads a line, including the one that begins the format. Returns ST_* (reported). */
	int (*take)(struct reading *r, char **cells, size_t n, size_t line);
	/* Called at the end of the file; NULL: nothing to do. Returns ST_* (reported). */
	int (*end)(struct reading *r);
	/* text on what a format measures if that is less than map; or NULL */
	const char *only;
};

/* Replaces *to by copies of n words. False without memory. */
bool words_copy(struct words *to, char **at, size_t n);
void words_free(struct words *w);

/*
 * Parses the number in a cell. *value is NaN for an empty cell, "-", "nan" and 0, which mean that
 * there was no answer. False if the cell has anything else.
 */
bool format_number(const char *text, double *value);

/* Like rows_add; also counts the values in r->values. */
int format_put(struct reading *r, const struct measurement *o, size_t line);

/* Finds or adds the host of a rank without a name; it is called "rank3". ST_* (reported). */
int format_find_rank(struct reading *r, size_t rank, size_t line, uint32_t *host);

#endif
