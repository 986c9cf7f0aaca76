/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to a result that was read, by the names in its file. A member that several places need has
 * a function here.
 */
#ifndef NETBENCH_RESULT_DOCUMENT_H
#define NETBENCH_RESULT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "result/columns.h"

/* The member at a path such as "environment.cpu.model", or NULL. Borrowed. */
json_t *result_at(const json_t *v, const char *path);

/* The same as a text, "" if it is missing or of another type; and as a number, else NaN. */
const char *result_text(const json_t *v, const char *path);
double result_number(const json_t *v, const char *path);

/* When the run of a result began, s since 1970; NaN: it does not say. */
double document_start(const json_t *doc);

/* A row's number in the column that column_part names, or NaN. */
double result_part(const json_t *row, const char *column, const char *part);

/* A number for a result: null if it is not finite. New reference. */
json_t *real_or_null(double value);

/*
 * The texts of a list with `between` between them, what is no text as JSON; "" of no list. For
 * free().
 */
char *list_text(const json_t *list, const char *between);

/* The parts of a result that result_read has read; NULL if one is missing. Borrowed. */
json_t *document_options(const json_t *doc);
json_t *document_environment(const json_t *doc);
json_t *document_columns(const json_t *doc);
json_t *document_rows(const json_t *doc);
json_t *document_summary(const json_t *doc);
json_t *document_warnings(const json_t *doc);
json_t *document_runs(const json_t *doc);

/* Its texts; "" if one is missing. */
const char *document_command(const json_t *doc);
const char *document_definition(const json_t *doc);
const char *document_status(const json_t *doc);

/* The value of an option by its long name; NULL if the command does not have it. Borrowed. */
json_t *document_option(const json_t *doc, const char *name);

/* A row's cell in a column, or NULL; as a number, else NaN; as a text, else "". */
json_t *row_cell(const json_t *row, enum column_id id);
double row_number(const json_t *row, enum column_id id);
const char *row_text(const json_t *row, enum column_id id);

/* A row's samples, lists by the name of a column, or NULL. Borrowed. */
json_t *row_samples(const json_t *row);

/* True if a result comes from a simulation or a formula, not from a measurement. */
bool result_is_computed(const json_t *doc);

/* True if its rows are ratios: of compare, or of runs of several commands. */
bool result_is_comparison(const json_t *doc);

/* True if the bytes were moved by a substitute, such as emulated cards. */
bool result_is_emulated(const json_t *doc);

/*
 * The definition of the simulated LogGP network that a result comes from: 1, where none is said, or
 * 2 (backends/sim/rule.h). 0: the result is of no such network.
 */
int result_sim_definition(const json_t *doc);

/* Its column of a name, an object with name, type and unit, or NULL. */
json_t *result_column(const json_t *doc, const char *name);

/* True if it has a column of that name. */
bool result_has(const json_t *doc, const char *column);

#endif
