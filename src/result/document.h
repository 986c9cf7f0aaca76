/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a result that was read has, by the names that stand in its file: what several places ask for
 * has its function here.
 */
#ifndef NETBENCH_RESULT_DOCUMENT_H
#define NETBENCH_RESULT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "result/columns.h"

/* The member at a path such as "environment.cpu.model"; NULL if there is none. Borrowed. */
json_t *result_at(const json_t *v, const char *path);

/* The same as text, "" if it is not there or no text; and as a number, NaN if it is none. */
const char *result_text(const json_t *v, const char *path);
double result_number(const json_t *v, const char *path);

/* A row's number in the column that column_part names; NaN if it has none. */
double result_part(const json_t *row, const char *column, const char *part);

/* A number for a result: null if it is not finite. New reference. */
json_t *real_or_null(double value);

/*
 * The texts of a list with `between` between them, what is no text as JSON; "" of no list. For
 * free(); NULL without memory.
 */
char *list_text(const json_t *list, const char *between);

/* The parts of a result, as result_read yields it; NULL if there is none. Borrowed. */
json_t *document_options(const json_t *doc);
json_t *document_environment(const json_t *doc);
json_t *document_columns(const json_t *doc);
json_t *document_rows(const json_t *doc);
json_t *document_summary(const json_t *doc);
json_t *document_warnings(const json_t *doc);

/* Its texts, "" of those that it does not have. */
const char *document_command(const json_t *doc);
const char *document_definition(const json_t *doc);
const char *document_status(const json_t *doc);

/* The value of an option, by its long name; NULL if the command has none of that name. Borrowed. */
json_t *document_option(const json_t *doc, const char *name);

/* A row's cell in a column, NULL if there is none; as a number, else NaN; as a text, else "". */
json_t *row_cell(const json_t *row, enum column_id id);
double row_number(const json_t *row, enum column_id id);
const char *row_text(const json_t *row, enum column_id id);

/* A row's samples, lists by the name of a column; NULL if there are none. Borrowed. */
json_t *row_samples(const json_t *row);

/* True if a result came out of a simulation or a formula, and nothing was measured. */
bool result_is_computed(const json_t *doc);

/* True if what moved the bytes stood in for something else, such as emulated cards. */
bool result_is_emulated(const json_t *doc);

/* Its column of that name, an object with name, type and unit; NULL if it has none. */
json_t *result_column(const json_t *doc, const char *name);

/* True if it has a column of that name. */
bool result_has(const json_t *doc, const char *column);

#endif
