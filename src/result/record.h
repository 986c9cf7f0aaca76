/* SPDX-License-Identifier: Apache-2.0 */
/* A record: everything around the rows of a result. Rows are made cell by cell. */
#ifndef NETBENCH_RESULT_RECORD_H
#define NETBENCH_RESULT_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"

/* The lines before and after the rows of CSV, none with CSV_NONE: --csv-header. */
enum csv_header { CSV_FULL, CSV_SHORT, CSV_NONE };

/*
 * Everything around the rows. The caller owns it until report_close. Sinks read the first part at
 * report_begin. They read summary and warnings with every row, so that a file is whole at any time,
 * and again at report_end, with status and footer. Until then the status in a file is "incomplete".
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
	size_t ntable;			/* number of first columns that the table has; 0: all */
	bool words;			/* no table, only the footer */
	/*
	 * Digits of numbers in JSON, for results with very many rows. Such rows leave out cells
	 * without a value and the columns of the run. 0: rows are whole.
	 */
	int brief;
	size_t nrun;			/* last columns, about the run; report.c sets it */
	/*
	 * The columns that a narrow table shows, beside the columns that an option has added. A
	 * table is narrow unless `wide` is set or the terminal has room for all. NULL: all columns.
	 */
	const enum column_id *narrow;
	size_t nnarrow;
	/* Or the columns that the table leaves out, from the first on, until it fits. */
	const enum column_id *spare;
	size_t nspare;
	bool wide;			/* show all columns; report.c sets it */
	enum csv_header csv_header;	/* report.c sets it */
	size_t nadded;			/* last columns of the table, which an option has added */
	/*
	 * A plain table has the first nplain columns with their headings, if a reference
	 * prescribes them. If 0, it has the permanent columns of the table with their names. The
	 * columns that an option has added follow. The last line is the summary's score_Bps,
	 * "b_eff = 1.5e+10 B/s"; NULL: no such line.
	 */
	size_t nplain;
	const char *score;
	enum rate_unit rates;		/* of the table; report.c sets it */
	json_t *options;	/* object: every option's value */
	json_t *environment;	/* object, nested: all facts that repeat the run */
	json_t *summary;	/* object: name -> number or text; units in the names */
	json_t *warnings;	/* array of texts */
	json_t *runs;		/* for JSON, may be NULL: array of kept_run_json */
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
