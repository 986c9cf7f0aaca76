/* SPDX-License-Identifier: Apache-2.0 */
/* A record: what stands around the rows of a result. Its rows, made cell by cell. */
#ifndef NETBENCH_RESULT_RECORD_H
#define NETBENCH_RESULT_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"

/* What stands before the rows of CSV, and after them but with CSV_NONE: --csv-header. */
enum csv_header { CSV_FULL, CSV_SHORT, CSV_NONE };

/*
 * What surrounds the rows. The caller owns all of it until report_close. Sinks read the first part
 * at report_begin; summary and warnings with every row, so that a file is whole at any time, and
 * again, with status and footer, at report_end. Until then a file says "incomplete".
 */
struct record {
	const char *command;	/* "beff" */
	const char *definition;	/* identifies what the numbers mean: "beff.netbench.v1" */
	const char *title;	/* one line for people, printed above the table */
	bool computed;		/* rows are a model's, not measured */
	bool emulated;		/* rows are an emulator's, not a network's; each says so */
	const enum column_id *cols;
	const char *const *heads;	/* of the table, if not the columns'; may hold NULL */
	size_t ncols;
	size_t ntable;			/* the table has the first so many columns; 0: all */
	bool words;			/* instead of a table there is only the footer */
	/*
	 * Rows are so many that those of JSON leave out what has no value and the columns of the
	 * run, and have numbers of so many digits as are known; 0: they are whole.
	 */
	int brief;
	size_t nrun;			/* the last so many are of the run; report.c sets it */
	/*
	 * Of the table's columns those that are shown within 80 characters, beside those that an
	 * option has added: where it is not wide, and no terminal has room for all. NULL: all.
	 */
	const enum column_id *narrow;
	size_t nnarrow;
	/* Or those that the table leaves out, from the first on, until it fits. */
	const enum column_id *spare;
	size_t nspare;
	bool wide;			/* all in any case; report.c sets it */
	enum csv_header csv_header;	/* report.c sets it */
	size_t nadded;			/* the last so many of these are there by an option */
	/*
	 * A plain table has the first nplain columns with their headings, where a reference says
	 * which; if 0, those of the table that are always there, with their names. Then those that
	 * are there by an option. It ends in the summary's score_Bps, "b_eff = 1.5e+10 B/s"; NULL:
	 * in nothing.
	 */
	size_t nplain;
	const char *score;
	enum rate_unit rates;		/* of the table; report.c sets it */
	json_t *options;	/* object: every option's value */
	json_t *environment;	/* object, nested: what repeats the run */
	json_t *summary;	/* object: name -> number or text; units in the names */
	json_t *warnings;	/* array of texts */
	const char *status;	/* "incomplete", "complete", "interrupted", "failed" */
	const char *footer;	/* lines for people under the table ("b_eff = ..."), or NULL */
};

/* Sets the cell of the column `id`, which the record must have. */
void row_set(struct row *row, const struct record *rec, enum column_id id, struct value v);

/* The same if the record has the column. */
void row_put(struct row *row, const struct record *rec, enum column_id id, struct value v);

/* Several of these: ROW_PUT(row, rec, { COL_SIZE, val_uint(8) }, ...). */
struct column_value {
	enum column_id id;
	struct value v;
};
void row_put_cells(struct row *row, const struct record *rec, const struct column_value *cells,
		   size_t n);
#define ROW_CELLS(...) ((const struct column_value[]){ __VA_ARGS__ })
#define ROW_PUT(row, rec, ...) \
	row_put_cells(row, rec, ROW_CELLS(__VA_ARGS__), \
		      sizeof(ROW_CELLS(__VA_ARGS__)) / sizeof(struct column_value))

#endif
