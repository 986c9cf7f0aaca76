/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of typed values, in SI units: s, B, B/s, msg/s. Also formats and reads numbers with SI
 * prefixes.
 */
#ifndef NETBENCH_RESULT_ROW_H
#define NETBENCH_RESULT_ROW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/columns.h"

/*
 * One cell. Its column determines the type. VAL_NONE means "not measured": empty in CSV, null in
 * JSON, "-" in tables.
 */
struct value {
	enum { VAL_NONE, VAL_UINT, VAL_REAL, VAL_TEXT } kind;
	union {
		uint64_t u;
		double r;
		const char *t;	/* not copied: the text must live longer than the row */
	};
};

/* Make a value. A number that is not finite, or a text that is NULL, becomes VAL_NONE. */
struct value val_real(double r);
struct value val_uint(uint64_t u);
struct value val_text(const char *t);

#define ROW_MAX NCOLUMNS /* enough, because no record has a column twice */

/* One row: v[i] belongs to the record's column i. */
struct row {
	struct value v[ROW_MAX];
	/* Raw samples of the row, for JSON: {"time_s": [...], ...}. Borrowed; may be NULL. */
	json_t *samples;
};

/*
 * Formats a number for people, with an SI prefix, its unit and 4 significant digits. Examples:
 * 5.264e-7 "s" -> "526.4 ns"; 7.77e9 "B/s" -> "7.770 GB/s"; NaN -> "-". Returns buf.
 */
char *format_si(char *buf, size_t len, double value, const char *unit);

/*
 * Parses a number with an optional SI prefix and an optional unit: "2us", "10 GB/s". If `unit` is
 * B/s, the text may be in bit/s, and the reverse; the number is converted. Returns false if the
 * text is not such a number.
 */
bool parse_si(const char *text, const char *unit, double *value);

/*
 * The unit in which bandwidths are shown (--rate-unit): B/s or bit/s. They are always stored in
 * B/s.
 */
enum rate_unit { RATE_BYTE, RATE_BIT };

/* Values of --rate-unit, NULL-terminated, in the order of the enum. */
extern const char *const rate_unit_names[];

/*
 * Changes *unit to the unit that is shown. Returns the factor by which values must be multiplied.
 */
double rate_factor(enum rate_unit rates, const char **unit);

/*
 * Formats a number as format_si() does, but in the unit that is shown: 1e9 "B/s" -> "8.000 Gbit/s".
 * Returns buf.
 */
char *format_rate(char *buf, size_t len, double value, const char *unit, enum rate_unit rates);

/* Writes a column's heading with the unit that is shown: "B/s p50" -> "bit/s p50". Returns buf. */
char *rate_head(char *buf, size_t len, const char *head, enum rate_unit rates);

#endif
