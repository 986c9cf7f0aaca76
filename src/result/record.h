/* SPDX-License-Identifier: Apache-2.0 */
/* A record: everything in a result except its rows. Also functions that set the cells of a row. */
#ifndef NETBENCH_RESULT_RECORD_H
#define NETBENCH_RESULT_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/row.h"

/* The values of --csv-header: how many lines CSV has before and after its rows. CSV_NONE: none. */
enum csv_header { CSV_FULL, CSV_SHORT, CSV_NONE };

/*
 * Everything in a result except the rows. The caller owns it until report_close(). report_begin()
 * writes the members down to `environment`. report_row() writes the summary and the warnings after
 * every row, so that a file is complete at any time. report_end() writes these again, with status
 * and footer. Until then the status in a file is "incomplete".
 */
struct record {
	const char *command;	/* "beff" */
	const char *definition;	/* names the definition of the numbers: "beff.netbench.v1" */
	const char *title;	/* one line for people, printed above the table */
	bool computed;		/* true: a model has computed the rows; they are not measured */
	/* true: the rows come from an emulator, not from a network; each row states it */
	bool emulated;
	const enum column_id *cols;
	/*
	 * table headings that replace the columns' own; a column keeps its own if its entry is NULL
	 */
	const char *const *heads;
	size_t ncols;
	size_t ntable; /* the table shows only this number of columns, from the first on; 0: all */
	bool words; /* true: the output for people is only the footer, without a table */
	/*
	 * Number of digits of numbers in JSON, for results with very many rows. Such rows omit
	 * cells without a value, and the columns about the run. 0: JSON has complete rows with all
	 * digits.
	 */
	int brief;
	size_t nrun;	/* the last nrun columns are about the run; report.c sets it */
	/*
	 * The columns of a narrow table, which also shows the columns that an option has added. A
	 * table is narrow unless `wide` is set or all columns fit into the terminal. NULL: all
	 * columns.
	 */
	const enum column_id *narrow;
	size_t nnarrow;
	/*
	 * Columns that the table omits, one after the other, until the table fits. Used instead of
	 * `narrow`.
	 */
	const enum column_id *spare;
	size_t nspare;
	bool wide;			/* show all columns; report.c sets it */
	enum csv_header csv_header;	/* report.c sets it */
	size_t nadded; /* the last nadded columns of the table were added by an option */
	/*
	 * A plain table imitates the output of a reference program: its first nplain columns under
	 * that program's headings. If nplain is 0, it has the columns of the table that no option
	 * has added, with their names. In both cases the columns that an option has added follow.
	 * The final line of the output shows the summary's score_Bps under the name `score`, such
	 * as "b_eff = 1.5e+10 B/s"; NULL: no such line.
	 */
	size_t nplain;
	const char *score;
	enum rate_unit rates;		/* unit of the table's rates; report.c sets it */
	json_t *options;	/* object: every option's value */
	json_t *environment;	/* object, nested: all facts that one needs to repeat the run */
	json_t *summary;	/* object: name -> number or text; the names include units */
	json_t *warnings;	/* array of texts */
	json_t *runs;		/* for JSON: array of values of kept_run_json(); may be NULL */
	const char *status;	/* "incomplete", "complete", "interrupted", "failed" */
	const char *footer;	/* lines for people under the table ("b_eff = ..."), or NULL */
};

/* Sets the cell of column `id`. The record must have that column. */
void row_set(struct row *row, const struct record *rec, enum column_id id, struct value v);

/* Sets the cell of column `id` if the record has that column. */
void row_put(struct row *row, const struct record *rec, enum column_id id, struct value v);

/* Returns the cell of column `id`; VAL_NONE if the record does not have that column. */
struct value row_get(const struct row *row, const struct record *rec, enum column_id id);

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

/*
 * Returns an object with the cells of the record's first ncols columns by name, a new reference. A
 * cell without a value is null, or is left out if `brief` is set. Returns NULL without memory.
 */
json_t *row_as_json(const struct row *row, const struct record *rec, size_t ncols, bool brief);

#endif
