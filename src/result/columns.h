/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of all commands' results, what they mean, and how results are compared by them. */
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
	const char *definition;	/* what `netbench explain` prints: full sentences */
};

/* The columns in the order of their definitions. */
#define COLUMN(id, name, unit, type, head, definition) id,
enum column_id {
#include "result/definitions.h"
	NCOLUMNS
};
#undef COLUMN

extern const struct column columns[NCOLUMNS];

/* Finds a column by name; NULL if there is none. */
const struct column *column_find(const char *name);

/* A column's name with a part inserted before the unit: "half_rtt_s", "lo": "half_rtt_lo_s". */
void column_part(char *buf, size_t len, const char *column, const char *part);

/* How results are compared by a column. */
enum column_role {
	ROLE_NONE,
	ROLE_POINT,	/* rows of two results that agree in all of these belong together */
	ROLE_SCORE,	/* compared in results that have no medians: of models, and scores */
	ROLE_MEDIAN,	/* made of the median time of a row's repetitions, or of its reciprocal */
	ROLE_MAIN,	/* the same; results are compared by the first such column or score */
};
enum column_role column_role(enum column_id id);

/* Whether a median is one of single iterations, not of repetitions' times. */
bool column_is_single(enum column_id id);

/* Units that can be compared, NULL-terminated: of costs less is better, of rates more. */
extern const char *const compared_units[];
bool unit_is_rate(const char *unit);

#endif
