/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of all commands' results: their meaning, and their role in comparisons. */
#ifndef NETBENCH_RESULT_COLUMNS_H
#define NETBENCH_RESULT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum column_type { COL_UINT, COL_REAL, COL_TEXT };
extern const char *const column_type_names[];	/* "integer", "real", "text" */

/* A column of any command: one name, one meaning. */
struct column {
	const char *name;	/* metric_statistic_unit, as in CSV and JSON */
	const char *unit;	/* "s", "B", "B/s", "msg/s", "Hz"; "" for none */
	enum column_type type;
	const char *head;	/* heading in the table */
	const char *definition;	/* full sentences, printed by `netbench explain` */
};

/* The columns in the order of their definitions. */
#define COLUMN(id, name, unit, type, head, definition) id,
enum column_id {
#include "result/definitions.h"
	NCOLUMNS
};
#undef COLUMN

extern const struct column columns[NCOLUMNS];

/*
 * The present name of a column that older results call by another name. Any other name is returned
 * unchanged.
 */
const char *column_new_name(const char *name);

/* The name of a column in older results, by its present name; NULL if it was never renamed. */
const char *column_old_name(const char *name);

/* Finds a column by its present or its former name; NULL if no column has it. */
const struct column *column_find(const char *name);

/*
 * Writes a column's name with `part` inserted before the unit: "rate_msgps" with "lo" gives
 * "rate_lo_msgps".
 */
void column_part(char *buf, size_t len, const char *column, const char *part);

/* The column whose name column_part() makes; NCOLUMNS if no column has that name. */
enum column_id column_part_id(enum column_id id, const char *part);

/* The part of a column in a comparison of results. */
enum column_role {
	ROLE_NONE,
	ROLE_POINT,	/* two rows are the same point if they are equal in all of these */
	ROLE_SCORE,	/* compared in results without medians: times of models, and scores */
	ROLE_MEDIAN, /* comes from the median time of a row's repetitions, or from its reciprocal */
	ROLE_MAIN,	/* the same; the first such column or score is compared by default */
};
enum column_role column_role(enum column_id id);

/* True if a column is a median of single iterations, not of the times of repetitions. */
bool column_is_single(enum column_id id);

/*
 * Units of columns that can be compared, NULL-terminated. A cost is better if lower, a rate if
 * higher.
 */
extern const char *const compared_units[];
bool unit_is_rate(const char *unit);

#endif
