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

/* The name of today of a column that older results call otherwise; any other name as it is. */
const char *column_now(const char *name);

/* What older results call a column of today's name; NULL: the same. */
const char *column_former(const char *name);

/* Finds a column by its name or by its former one; or NULL. */
const struct column *column_find(const char *name);

/* A column's name with a part inserted before the unit: "rate_msgps", "lo": "rate_lo_msgps". */
void column_part(char *buf, size_t len, const char *column, const char *part);

/* The column of that name; NCOLUMNS: there is none. */
enum column_id column_part_id(enum column_id id, const char *part);

/* How results are compared by a column. */
enum column_role {
	ROLE_NONE,
	ROLE_POINT,	/* rows of two results with equal values in all of these are one point */
	ROLE_SCORE,	/* compared in results without medians: of models, and scores */
	ROLE_MEDIAN,	/* made of the median time of a row's repetitions, or of its reciprocal */
	ROLE_MAIN,	/* the same; results are compared by their first such column or score */
};
enum column_role column_role(enum column_id id);

/* True if a column is a median of single iterations, not of repetitions' times. */
bool column_is_single(enum column_id id);

/* Units that can be compared, NULL-terminated. Lower is better for costs, higher for rates. */
extern const char *const compared_units[];
bool unit_is_rate(const char *unit);

#endif
