/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to a result that was read, by the names of its members. Each member that several files use
 * has a function here.
 */
#ifndef NETBENCH_RESULT_DOCUMENT_H
#define NETBENCH_RESULT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "result/columns.h"

/* The member at a path such as "environment.cpu.model", or NULL. Borrowed. */
json_t *result_at(const json_t *v, const char *path);

/*
 * The same as a text, or "" if the member is missing or of another type. The second function
 * returns a number, or NaN.
 */
const char *result_text(const json_t *v, const char *path);
double result_number(const json_t *v, const char *path);

/* Start of a result's run, in s since 1970; NaN if the result does not state it. */
double result_start_time(const json_t *doc);

/* A row's number in the column named by column_part(); NaN if it is missing. */
double result_part(const json_t *row, const char *column, const char *part);

/* A number for a result; null if it is not finite. Returns a new reference. */
json_t *real_or_null(double value);

/*
 * Joins the items of a list, with `between` between them. An item that is not a text is written as
 * JSON. Returns "" for NULL or an empty list. The caller frees the text.
 */
char *join_list(const json_t *list, const char *between);

/*
 * The members of a result that result_read() requires or accepts; NULL if one is missing. Borrowed.
 */
json_t *document_options(const json_t *doc);
json_t *document_environment(const json_t *doc);
json_t *document_columns(const json_t *doc);
json_t *document_rows(const json_t *doc);
json_t *document_summary(const json_t *doc);
json_t *document_warnings(const json_t *doc);
json_t *document_runs(const json_t *doc);

/* Members of a result that are texts; "" if one is missing. */
const char *document_command(const json_t *doc);
const char *document_definition(const json_t *doc);
const char *document_status(const json_t *doc);

/* The value of an option by its long name; NULL if the command has no such option. Borrowed. */
json_t *document_option(const json_t *doc, const char *name);

/*
 * A row's cell in a column, or NULL. row_number() returns NaN, row_text() "" instead of a cell of
 * another type.
 */
json_t *row_cell(const json_t *row, enum column_id id);
double row_number(const json_t *row, enum column_id id);
const char *row_text(const json_t *row, enum column_id id);

/* A row's samples: an object of lists, each named after a column; or NULL. Borrowed. */
json_t *row_samples(const json_t *row);

/* True if a result comes from a simulation or a formula, not from a measurement. */
bool result_is_computed(const json_t *doc);

/* True if the result's rows are ratios: from compare, or from runs with several commands. */
bool result_is_comparison(const json_t *doc);

/* True if a substitute moved the bytes, such as emulated cards. */
bool result_is_emulated(const json_t *doc);

/*
 * The definition of the simulated LogGP network that a result comes from (backends/sim/rule.h): 1
 * or 2. A result without a stated definition has 1. Returns 0 if the result is not from such a
 * network.
 */
int result_sim_definition(const json_t *doc);

/* A result's column by its name: an object with name, type and unit; or NULL. */
json_t *result_column(const json_t *doc, const char *name);

/* True if a result has a column of that name. */
bool result_has(const json_t *doc, const char *column);

#endif
