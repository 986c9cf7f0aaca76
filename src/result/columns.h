/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the results of all commands: their meaning, and their role in comparisons. */
#ifndef NETBENCH_RESULT_COLUMNS_H
#define NETBENCH_RESULT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum column_type { COL_UINT, COL_REAL, COL_TEXT };
extern const char *const column_type_names[];	/* "integer", "real", "text" */

/* A column. Its name has the same meaning in the results of all commands. */
struct column {
	const char *name;	/* name in CSV and JSON, composed as metric_statistic_unit */
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
 * Returns the present name of a column that has a different name in older results. Returns any
 * other name unchanged.
 */
const char *column_new_name(const char *name);

/*
 * Returns the name that a column has in older results. `name` is its present name. Returns NULL if
 * the column was never renamed.
 */
const char *column_old_name(const char *name);

/* Finds a column by its present or its former name; NULL if no column has it. */
const struct column *column_find(const char *name);

/*
 * Writes a column's name with `part` inserted before the unit: "rate_msgps" with "lo" gives
 * "rate_lo_msgps".
 */
void column_part(char *buf, size_t len, const char *column, const char *part);

/*
 * Returns the column with the name that column_part() writes for this column and part. Returns
 * NCOLUMNS if no column has it.
 */
enum column_id column_part_id(enum column_id id, const char *part);

/* The role of a column in a comparison of results. */
enum column_role {
	ROLE_NONE,
	ROLE_POINT,	/* two rows are for the same point if they are equal in all these columns */
	ROLE_SCORE,	/* a time of a model, or a score; compared if the result has no medians */
	ROLE_MEDIAN, /* a value that comes from the median time of a row's repetitions */
	/* a ROLE_MEDIAN value; the first ROLE_MAIN or ROLE_SCORE column is compared by default */
	ROLE_MAIN,
};
enum column_role column_role(enum column_id id);

/* True if a column is a median over single iterations, not over repetitions. */
bool column_is_single(enum column_id id);

/*
 * compared_units: the units of columns that can be compared, NULL-terminated. unit_is_rate()
 * returns true for the unit of a rate, where more is better, and false for the unit of a cost.
 */
extern const char *const compared_units[];
bool unit_is_rate(const char *unit);

#endif
