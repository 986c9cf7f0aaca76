/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results: a record (what was run, where, how) with rows of typed columns goes to one or more sinks
 * (table, plain, CSV, JSON). Rows are on disk when report_row returns. All is called on rank 0
 * alone.
 */
#ifndef NETBENCH_RESULT_REPORT_H
#define NETBENCH_RESULT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "options/options.h"
#include "result/row.h"

/* What stands before the rows of CSV, and after them but with CSV_NONE: --csv-header. */
enum csv_header { CSV_FULL, CSV_SHORT, CSV_NONE };
extern const char *const csv_header_names[];

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

/* Values of the output options, which every command has that writes results. */
struct output_options {
	uint64_t format, rate_unit, csv_header;
	struct texts outputs;
	bool wide, overwrite, quiet, verbose;
};

enum format { FORMAT_TABLE, FORMAT_PLAIN, FORMAT_CSV, FORMAT_JSON, NFORMATS };

/* Names of the formats, NULL-terminated, in the order of the enum. */
extern const char *const format_names[];

struct report;

/*
 * ST_OK if the suffixes of the output files (.csv, .json, .txt) give formats, and there is a table
 * if --rate-unit says its unit or --wide its columns, and CSV if --csv-header says its header; else
 * ST_USAGE (reported).
 */
int report_check(const struct output_options *o);

/*
 * Opens the sinks: the format on stdout, and one for each output file, which are different files
 * (options/files.h). An older result is written as FILE.part until report_close. Nothing is changed
 * if any cannot be opened, or is a result and would become none (reported). *out is for
 * report_close. ST_OK, ST_USAGE, or ST_FAILED without memory.
 */
int report_open(struct report **out, const struct output_options *o);

/*
 * Writes what comes before the rows. ST_OK, or ST_FAILED if a sink cannot be written
 * (reported once; it and every later call say ST_FAILED, while the other sinks go on).
 */
int report_begin(struct report *r, const struct record *rec);

/*
 * Writes one row to every sink and flushes it. A sink that cannot be written (full disk,
 * closed pipe) is cut back to its last whole row; ST_FAILED as above.
 */
int report_row(struct report *r, const struct record *rec, const struct row *row);

/* True if no sink is left that rows can be written to. */
bool report_is_dead(const struct report *r);

/* Writes what comes after the rows: footer, summary, warnings, status. */
int report_end(struct report *r, const struct record *rec);

/*
 * Closes the sinks; NULL is allowed. With `replace`, of a run that has come to its end, and if all
 * sinks could be written, older results are replaced; else what was measured stays in FILE.part.
 * ST_FAILED if something did not get to disk (reported). ST_NO_READER if all is well but that
 * standard output has no reader any more: that is no fault of rows, and files are complete.
 */
int report_close(struct report *r, bool replace);

#endif
