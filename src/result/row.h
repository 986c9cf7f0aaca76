/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of typed values. Values are SI throughout: s, B, B/s, msg/s; what people read is scaled. */
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
 * Formats a number with an SI prefix and its unit in 4 significant places for people:
 * 5.264e-7 "s" -> "526.4 ns", 7.77e9 "B/s" -> "7.770 GB/s"; NaN -> "-". Returns buf.
 */
char *format_si(char *buf, size_t len, double value, const char *unit);

/*
 * Reads a number with a prefix of SI and a unit, either of which may be left out: "2us", "10 GB/s";
 * of bandwidths in B/s or in bit/s, whichever of them the unit is. False if it is none.
 */
bool parse_si(const char *text, const char *unit, double *value);

/* In what people read bandwidths (--rate-unit): B/s or bit/s. Values are in B/s throughout. */
enum rate_unit { RATE_BYTE, RATE_BIT };

/* NULL-terminated, in the order of the enum. */
extern const char *const rate_unit_names[];

/* The unit in which people read values in *unit, which it becomes, and how many of it one has. */
double rate_factor(enum rate_unit rates, const char **unit);

/* The same as format_si in that unit: 1e9 "B/s" -> "8.000 Gbit/s". Returns buf. */
char *format_rate(char *buf, size_t len, double value, const char *unit, enum rate_unit rates);

/* A column's heading, "B/s p50", in that unit: "bit/s p50". Returns buf. */
char *rate_head(char *buf, size_t len, const char *head, enum rate_unit rates);

#endif
