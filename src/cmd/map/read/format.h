/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats of the files of --from. Files are read line by line. Each format is a constant in its own
 * source file; from.c lists the formats. A file has the format that first recognises a line as its
 * own first line.
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
	/* number of visits in earlier files; this file has the next visit */
	uint32_t visits_before;
	enum from_unit unit;
	bool unit_given;
	const struct map_format *format;	/* format of the file; NULL: not yet recognised */
	/* before: words of the line just before the format began; names: names of the rows */
	struct words before, names;
	void *own;			/* state of the format; from.c frees it */
	size_t values; /* number of values so far, without values of a host with itself */
	bool counts;			/* warn about pairs without a value */
};

struct map_format {
	const char *name;	/* name for the user, such as "a matrix" */
	/* Returns whether a line, split into cells, is the first line of this format. */
	bool (*begins)(const struct reading *r, char **cells, size_t n);
	/* Reads a line, also the first line of the format. Returns ST_* (reported). */
	int (*take)(struct reading *r, char **cells, size_t n, size_t line);
	/* Called at the end of the file; NULL: nothing to do. Returns ST_* (reported). */
	int (*end)(struct reading *r);
	/* text that says what the format contains, if that is less than map measures; else NULL */
	const char *only;
};

/* Replaces *to by copies of n words. */
void words_copy(struct words *to, char **at, size_t n);
void words_free(struct words *w);

/*
 * Parses the number in a cell. Sets *value to NaN for an empty cell, "-", "nan" and 0, which mean
 * that there was no answer. Returns false if the cell has any other text.
 */
bool format_number(const char *text, double *value);

/* Like rows_add, but also adds the number of values to r->values. */
int format_put(struct reading *r, const struct measurement *o, size_t line);

/*
 * Finds or adds the host of a rank that has no name. The host of rank 3 is called "rank3". Returns
 * ST_* (reported).
 */
int format_find_rank(struct reading *r, size_t rank, size_t line, uint32_t *host);

#endif
