/* SPDX-License-Identifier: Apache-2.0 */
/* A record: everything in a result but its rows. Also functions that set the cells of a row. */
#ifndef NETBENCH_RESULT_RECORD_H
#define NETBENCH_RESULT_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"

/*
 * The values of --csv-header: the lines before and after the rows of CSV. CSV_NONE: no such lines.
 */
enum csv_header { CSV_FULL, CSV_SHORT, CSV_NONE };

/*
 * Everything but the rows. The caller owns it until report_close(). Outputs read the members down
 * to `environment` at report_begin(). They read summary and warnings with every row, so that a file
 * is complete at any time. At report_end() they read these again, with status and footer. Until
 * then the status in a file is "incomplete".
 */
struct record {
	const char *command;	/* "beff" */
	const char *definition;	/* identifies what the numbers mean: "beff.netbench.v1" */
	const char *title;	/* one line for people, printed above the table */
	bool computed;		/* a model has computed the rows; they are not measured */
	bool emulated;		/* an emulator made the rows, not a network; each row states it */
	const enum column_id *cols;
	/* table headings in place of the columns' own; an entry may be NULL */
	const char *const *heads;
	size_t ncols;
	size_t ntable;			/* the table has this number of first columns; 0: all */
	bool words;			/* people get only the footer, without a table */
	/*
	 * Digits of numbers in JSON, for results with very many rows. Such rows omit cells without
	 * a value and the columns about the run. 0: rows are complete.
	 */
	int brief;
	size_t nrun;	/* number of last columns that are about the run; report.c sets it */
	/*
	 * The columns of a narrow table; columns that an option has added are shown, too. A table
	 * is narrow unless `wide` is set or the terminal has room for all columns. NULL: all
	 * columns.
	 */
	const enum column_id *narrow;
	size_t nnarrow;
	/* Alternatively, columns that the table omits, from the first on, until it fits. */
	const enum column_id *spare;
	size_t nspare;
	bool wide;			/* show all columns; report.c sets it */
	enum csv_header csv_header;	/* report.c sets it */
	size_t nadded;			/* last columns of the table, which an option has added */
	/*
	 * Columns of a plain table. If a reference prescribes them, they are the first nplain
	 * columns with their headings. If nplain is 0, they are the table's permanent columns with
	 * their names. Columns that an option has added follow. The last line is the summary's
	 * score_Bps, such as "b_eff = 1.5e+10 B/s"; NULL: no such line.
	 */
	size_t nplain;
	const char *score;
	enum rate_unit rates;		/* unit of the table's rates; report.c sets it */
	json_t *options;	/* object: every option's value */
	json_t *environment;	/* object, nested: all facts that are needed to repeat the run */
	json_t *summary;	/* object: name -> number or text; units in the names */
	json_t *warnings;	/* array of texts */
	json_t *runs;		/* for JSON, may be NULL: array of kept_run_json */
	const char *status;	/* "incomplete", "complete", "interrupted", "failed" */
	const char *footer;	/* lines for people under the table ("b_eff = ..."), or NULL */
};

/* Sets the cell of column `id`. The record must have that column. */
void row_set(struct row *row, const struct record *rec, enum column_id id, struct value v);

/* Sets the cell of column `id` if the record has that column. */
void row_put(struct row *row, const struct record *rec, enum column_id id, struct value v);

/* Sets several cells: ROW_PUT(row, rec, { COL_SIZE, val_uint(8) }, ...). */
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
