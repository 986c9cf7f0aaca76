/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of typed values, in SI units: s, B, B/s, msg/s; and their scaled texts for people. */
#ifndef NETBENCH_RESULT_ROW_H
#define NETBENCH_RESULT_ROW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/columns.h"

/* One cell. The type follows from the column; VAL_NONE is "not measured": empty, null, "-". */
struct value {
	enum { VAL_NONE, VAL_UINT, VAL_REAL, VAL_TEXT } kind;
	union {
		uint64_t u;
		double r;
		const char *t;	/* must outlive the row; rows copy nothing */
	};
};

/* A number that is not finite, and a text that is NULL, become VAL_NONE. */
struct value val_real(double r);
struct value val_uint(uint64_t u);
struct value val_text(const char *t);

#define ROW_MAX NCOLUMNS /* no record has a column twice */

/* One row: v[i] belongs to the record's column i. */
struct row {
	struct value v[ROW_MAX];
	/* For JSON, may be NULL (borrowed): {"time_s": [...], ...}, raw samples of the row */
	json_t *samples;
};

/*
 * Formats a number for people, with an SI prefix, its unit and 4 significant digits. Examples:
 * 5.264e-7 "s" -> "526.4 ns"; 7.77e9 "B/s" -> "7.770 GB/s"; NaN -> "-". Returns buf.
 */
char *format_si(char *buf, size_t len, double value, const char *unit);

/*
 * Reads a number with an optional SI prefix and an optional unit: "2us", "10 GB/s". If the unit is
 * B/s or bit/s, the text may have the other one. False if the text is no such number.
 */
bool parse_si(const char *text, const char *unit, double *value);

/* The unit of bandwidths for people (--rate-unit): B/s or bit/s. Values are always in B/s. */
enum rate_unit { RATE_BYTE, RATE_BIT };

/* NULL-terminated, in the order of the enum. */
extern const char *const rate_unit_names[];

/* Changes *unit to the unit for people. Returns the factor from the old unit to the new one. */
double rate_factor(enum rate_unit rates, const char **unit);

/* As format_si, in the unit for people: 1e9 "B/s" -> "8.000 Gbit/s". Returns buf. */
char *format_rate(char *buf, size_t len, double value, const char *unit, enum rate_unit rates);

/* A column's heading in the unit for people: "B/s p50" -> "bit/s p50". Returns buf. */
char *rate_head(char *buf, size_t len, const char *head, enum rate_unit rates);

#endif
