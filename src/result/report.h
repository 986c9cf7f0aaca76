/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes results to one or more outputs, as a table, plain table, CSV or JSON. A result is a record
 * (what was run, where and how) and rows of typed columns. When report_row() returns, the row has
 * been written. Only rank 0 calls these functions.
 */
#ifndef NETBENCH_RESULT_REPORT_H
#define NETBENCH_RESULT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "options/options.h"
#include "result/record.h"

/* The values of --csv-header, NULL-terminated, in the order of the enum. */
extern const char *const csv_header_names[];

/* Values of the output options of every command that writes results. */
struct output_options {
	uint64_t format, rate_unit, csv_header;
	struct texts outputs;
	bool wide, overwrite, quiet, verbose;
	/*
	 * True for a run over time: only CSV gets the rows, and is written under its own name. The
	 * other outputs get what precedes and follows the rows.
	 */
	bool monitors;
	const char *resume;	/* the CSV file with which such a run goes on; NULL: none */
};

enum format { FORMAT_TABLE, FORMAT_PLAIN, FORMAT_CSV, FORMAT_JSON, NFORMATS };

/* Names of the formats, NULL-terminated, in the order of the enum. */
extern const char *const format_names[];

struct outlets;

/*
 * Checks the output options. The suffixes of all output files (.csv, .json, .txt) must name
 * formats. Each option must fit the formats: --rate-unit and --wide need a table, --csv-header
 * needs CSV. Returns ST_OK or ST_USAGE (reported).
 */
int report_check(const struct output_options *o);

/*
 * Opens the outputs: standard output in the chosen format, and one output for each file. All files
 * must differ (options/files.h). An older result stays until report_close(); the new one is written
 * as FILE.part. If a file cannot be opened, or something that is not a result would replace a
 * result, reports that and changes no file. Pass *out to report_close(). Returns ST_OK, ST_USAGE,
 * or ST_FAILED without memory.
 */
int report_open(struct outlets **out, const struct output_options *o);

/*
 * Writes the part before the rows. Returns ST_OK, or ST_FAILED if an output cannot be written. That
 * fault is reported once. All later calls then also return ST_FAILED, but still write to the other
 * outputs.
 */
int report_begin(struct outlets *r, const struct record *rec);

/*
 * Writes one row to every output and flushes it. If an output cannot be written (full disk, closed
 * pipe), it is truncated after its last complete row. Returns ST_OK, or ST_FAILED as report_begin()
 * does.
 */
int report_row(struct outlets *r, const struct record *rec, const struct row *row);

/*
 * Drafts are preliminary rows, in case that a run is killed before its rows are complete. The next
 * row overwrites them. Only regular files contain drafts; report_keeps_drafts() is true if an
 * output is a regular file. report_draft() adds a draft, in memory. report_end_drafts() writes all
 * drafts at once, and returns ST_OK, or ST_FAILED as report_begin() does.
 */
bool report_keeps_drafts(const struct outlets *r);
void report_draft(struct outlets *r, const struct record *rec, const struct row *row);
int report_end_drafts(struct outlets *r);

/*
 * For runs over time. report_resumed_path() returns the path of the file of --resume if it has
 * content; else NULL. report_resume() cuts that file after its first `whole` bytes, in which it has
 * nrows rows. Call it before report_begin(), which then does not write to this file.
 * report_column_names() returns the names of the columns that CSV gets, a new reference.
 * report_sync() waits until the disk has the rows of CSV files. They return ST_OK or ST_FAILED.
 */
const char *report_resumed_path(struct outlets *r);
int report_resume(struct outlets *r, off_t whole, size_t nrows);
json_t *report_column_names(struct outlets *r, const struct record *rec);
int report_sync(struct outlets *r);

/* True if all outputs have failed. */
bool report_all_failed(const struct outlets *r);

/* Writes the part after the rows: footer, summary, warnings, status. Returns ST_OK or ST_FAILED. */
int report_end(struct outlets *r, const struct record *rec);

/*
 * Closes the outputs; `r` may be NULL. `replace` is true if the run is complete. If it is true and
 * all outputs could be written, the new results replace older ones. Otherwise the new rows stay in
 * FILE.part. Returns ST_FAILED if some data could not be written (reported). Returns ST_NO_READER
 * if the only fault is that standard output has no reader any more; files are then complete.
 */
int report_close(struct outlets *r, bool replace);

/*
 * A function that writes all rows with report_row(). Returns ST_OK, or the error of report_row().
 */
typedef int rows_fn(void *arg, struct outlets *r, const struct record *rec);

/*
 * Writes a whole result to all outputs that the options state. `rows` writes the rows. Returns
 * ST_OK, ST_USAGE or ST_FAILED (reported).
 */
int report_result(const struct output_options *o, const struct record *rec, rows_fn *rows,
		  void *arg);

#endif
