/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that get the members of a result that was read. */
#ifndef NETBENCH_RESULT_DOCUMENT_H
#define NETBENCH_RESULT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "result/columns.h"
#include "result/row.h"

/* Returns the member at a path such as "environment.cpu.model", or NULL. Borrowed. */
json_t *result_at(const json_t *v, const char *path);

/*
 * Get the member at a path as a text or as a number. They return "" or NaN if the member is missing
 * or has another type.
 */
const char *result_text(const json_t *v, const char *path);
double result_number(const json_t *v, const char *path);

/* Returns the time that a text such as "2026-11-28T14:03:20.5Z" states, in s since 1970, or NaN. */
double result_parse_time(const char *text);

/* Returns the time when the run of a result started, in s since 1970; NaN: not stated. */
double result_start_time(const json_t *doc);

/* Returns a row's number in the column whose name column_part() writes; NaN if it is missing. */
double result_part(const json_t *row, const char *column, const char *part);

/* Converts a number for a result; null if it is not finite. Returns a new reference. */
json_t *real_or_null(double value);

/*
 * Joins the items of a list, with `between` between them. An item that is not a text is written as
 * JSON. Returns "" for NULL or an empty list. The caller frees the text.
 */
char *join_list(const json_t *list, const char *between);

/* Return a member of a result; NULL if it is missing. Borrowed. */
json_t *document_options(const json_t *doc);
json_t *document_environment(const json_t *doc);
json_t *document_columns(const json_t *doc);
json_t *document_rows(const json_t *doc);
json_t *document_summary(const json_t *doc);
json_t *document_warnings(const json_t *doc);
json_t *document_runs(const json_t *doc);

/* Return a member of a result that is a text; "" if it is missing. */
const char *document_command(const json_t *doc);
const char *document_definition(const json_t *doc);
const char *document_status(const json_t *doc);

/*
 * Returns the value of an option, by its long name; NULL: the command has no such option. Borrowed.
 */
json_t *document_option(const json_t *doc, const char *name);

/*
 * Return a row's cell in a column. Without a cell row_cell() returns NULL. Without a cell of the
 * right type row_number() returns NaN, and row_text() "".
 */
json_t *row_cell(const json_t *row, enum column_id id);
double row_number(const json_t *row, enum column_id id);
const char *row_text(const json_t *row, enum column_id id);

/* Returns a row's cell; VAL_NONE if the row has no cell of the right type. The row owns texts. */
struct value row_value(const json_t *row, enum column_id id);

/* In a run over time, column `note` of a row that marks a gap begins with this text. */
#define ROW_GAP "gap: "
bool row_is_gap(const json_t *row);

/* Names of samples of load: histograms of each epoch, loaded and quiet. */
#define LOAD_BARS "latency_s_count"
#define LOAD_QUIET_BARS "quiet_s_count"

/*
 * Returns the samples of a row: an object with a list for each column that has samples; or NULL.
 * Borrowed.
 */
json_t *row_samples(const json_t *row);

/* True if a result comes from a simulation or a formula, not from a measurement. */
bool result_is_computed(const json_t *doc);

/*
 * True if the rows of a result are ratios: it comes from compare, or from runs with several
 * commands.
 */
bool result_is_comparison(const json_t *doc);

/* True if an emulator, not a network, moved the bytes: for example emulated cards. */
bool result_is_emulated(const json_t *doc);

/*
 * Returns the definition of the simulated LogGP network that a result comes from
 * (backends/sim/rule.h): 1 or 2. If the result does not state it, returns 1. Returns 0 if the
 * result is not from such a network.
 */
int result_sim_definition(const json_t *doc);

/*
 * Returns the column with this name: an object with name, type and unit; NULL: the result has no
 * such column.
 */
json_t *result_column(const json_t *doc, const char *name);

/* True if a result has a column of that name. */
bool result_has(const json_t *doc, const char *column);

#endif
