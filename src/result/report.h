/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results: a record (what was run, where, how) with rows of typed columns goes to one or more sinks
 * (table, plain, CSV, JSON). Rows are on disk when report_row returns. Only rank 0 calls these
 * functions.
 */
#ifndef NETBENCH_RESULT_REPORT_H
#define NETBENCH_RESULT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"
#include "result/record.h"

/* The values of --csv-header, NULL-terminated, in the order of the enum. */
extern const char *const csv_header_names[];

/* Values of the output options of every command that writes results. */
struct output_options {
	uint64_t format, rate_unit, csv_header;
	struct texts outputs;
	bool wide, overwrite, quiet, verbose;
};

enum format { FORMAT_TABLE, FORMAT_PLAIN, FORMAT_CSV, FORMAT_JSON, NFORMATS };

/* Names of the formats, NULL-terminated, in the order of the enum. */
extern const char *const format_names[];

struct outlets;

/*
 * ST_OK if the suffixes of all output files (.csv, .json, .txt) give formats, and each option fits
 * them: --rate-unit and --wide need a table, --csv-header needs CSV. Else ST_USAGE (reported).
 */
int report_check(const struct output_options *o);

/*
 * Opens the sinks: the format on stdout, and one for each output file, which are different files
 * (options/files.h). An older result is written as FILE.part until report_close. Nothing is changed
 * if any cannot be opened, or is a result and would become none (reported). *out is for
 * report_close. ST_OK, ST_USAGE, or ST_FAILED without memory.
 */
int report_open(struct outlets **out, const struct output_options *o);

/*
 * Writes what comes before the rows. ST_OK, or ST_FAILED if a sink cannot be written
 * (reported once; it and every later call say ST_FAILED, while the other sinks go on).
 */
int report_begin(struct outlets *r, const struct record *rec);

/*
 * Writes one row to every sink and flushes it. A sink that cannot be written (full disk,
 * closed pipe) is cut back to its last whole row; ST_FAILED as above.
 */
int report_row(struct outlets *r, const struct record *rec, const struct row *row);

/*
 * Adds a row to the text of regular files that the next row or report_end_drafts overwrites, for a
 * run that is killed before its rows are complete. report_end_drafts writes all of them at once.
 * ST_OK, or ST_FAILED as above. report_drafts: whether there is such a file.
 */
bool report_drafts(const struct outlets *r);
void report_draft(struct outlets *r, const struct record *rec, const struct row *row);
int report_end_drafts(struct outlets *r);

/* True if all sinks have failed. */
bool report_is_dead(const struct outlets *r);

/* Writes what comes after the rows: footer, summary, warnings, status. */
int report_end(struct outlets *r, const struct record *rec);

/*
 * Closes the sinks; NULL is allowed. `replace`: the run is complete; if all sinks could be written
 * too, the new results replace older ones. Else the new rows stay in FILE.part.
 * ST_FAILED if something did not get to disk (reported). ST_NO_READER if the only fault is that
 * standard output has no reader any more; files are complete then.
 */
int report_close(struct outlets *r, bool replace);

/* Writes the rows by report_row. Returns ST_OK, or the error of report_row. */
typedef int rows_fn(void *arg, struct outlets *r, const struct record *rec);

/*
 * Writes a whole record with its rows to all outputs of the options. ST_OK, ST_USAGE, or ST_FAILED
 * (reported).
 */
int report_result(const struct output_options *o, const struct record *rec, rows_fn *rows,
		  void *arg);

#endif
