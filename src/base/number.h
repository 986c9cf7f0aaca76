/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in options and fields: their types and ranges, and the message for a wrong number. */
#ifndef NETBENCH_BASE_NUMBER_H
#define NETBENCH_BASE_NUMBER_H

#include "base/text.h"
#include "base/values.h"

enum number_type {
	NUMBER_WHOLE,		/* uint64_t */
	NUMBER_REAL,		/* double */
	NUMBER_SIZE,		/* uint64_t, bytes: 64, 4k, 1M, 2G (powers of 1024) */
	NUMBER_SECONDS,		/* double, seconds: 2, 100ms, 5us, 3m, 1h */
};

/*
 * Stored for a whole number or a size, and for seconds, if the user gave the `word` instead of a
 * number.
 */
#define NUMBER_AUTO UINT64_MAX
#define NUMBER_AUTO_SECONDS (-1.0)

/* A number that a user may give: its type, its range, and its name in messages. */
struct number {
	enum number_type type;
	bool list;		/* a list of such numbers */
	/* begins each message, as "board 'custom'" does; NULL: no such beginning */
	const char *of;
	const char *dashes, *name;	/* "--" and "max-size" */
	double min, max;	/* no upper limit if max < min; any value if both are 0 */
	const char *word;	/* accepted instead of a number, see NUMBER_AUTO; may be NULL */
	double unit_s;		/* s: factor for a time that the user gave without a unit */
};

/* Returns true if the number may have a suffix k, M or G. */
bool number_allows_suffix(const struct number *n);

/*
 * Reads one number, not a list, into *to, a uint64_t or a double. Returns ST_OK, or ST_USAGE
 * (reported).
 */
int number_parse(const struct number *n, const char *text, void *to);

/*
 * Reads a list of whole numbers or sizes into *to, and frees the list that *to had. The `word`
 * gives an empty list. After a fault *to is unchanged. Returns ST_OK, or ST_USAGE (reported).
 */
int number_parse_list(const struct number *n, const char *text, struct numbers *to);

/*
 * Adds the range to a text: "1 to 64k", or "1 or more" if the upper limit is missing or exceeds
 * `huge`.
 */
void number_add_range(struct text *t, const struct number *n, double huge);

/*
 * Returns the beginning of a message: "value 'x' in 'y,x' of '--name' ". `in` is the whole text
 * that contains `value`; if both are equal, only `value` is named.
 */
struct text number_begin_message(const struct number *n, const char *value, const char *in);

/* Reports why a value is wrong. Returns ST_USAGE. */
int number_report_fault(const struct number *n, const char *value, const char *in,
			enum scan_fault why);

#endif
