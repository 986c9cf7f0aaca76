/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numbers in options and fields, checks their range, and reports wrong numbers. */
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
 * Values that are stored if the user gave the word (number.word) instead of a number: NUMBER_AUTO
 * for a whole number or a size, NUMBER_AUTO_SECONDS for seconds.
 */
#define NUMBER_AUTO UINT64_MAX
#define NUMBER_AUTO_SECONDS (-1.0)

/* A number that a user may give: its type, its range, and its name in messages. */
struct number {
	enum number_type type;
	bool list;		/* a list of such numbers */
	/* beginning of each message, such as "board 'custom'"; NULL: none */
	const char *of;
	/* the option's name in messages: dashes ("--" or "") and `name` ("max-size") */
	const char *dashes, *name;
	double min, max;	/* no upper limit if max < min; any value if both are 0 */
	const char *word;	/* accepted instead of a number, see NUMBER_AUTO; may be NULL */
	double unit_s;		/* s: unit of a time that the user gave without a unit */
};

/* Returns true if the number may have a suffix k, M or G. */
bool number_allows_suffix(const struct number *n);

/*
 * Reads one number, not a list, into *to, a uint64_t or a double. Returns ST_OK, or ST_USAGE
 * (reported).
 */
int number_parse(const struct number *n, const char *text, void *to);

/*
 * Reads a list of whole numbers or sizes into *to, and frees the list that *to had. If the text is
 * `word`, the list is empty. After a fault *to is unchanged. Returns ST_OK, or ST_USAGE (reported).
 */
int number_parse_list(const struct number *n, const char *text, struct numbers *to);

/*
 * Appends the range to a text: "1 to 64k". If there is no upper limit, or if it exceeds `huge`,
 * appends "1 or more".
 */
void number_add_range(struct text *t, const struct number *n, double huge);

/*
 * Returns the beginning of a message: "value 'x' in 'y,x' of '--name' ". `in` is the option's whole
 * text, and `value` the faulty part of it. If they are equal, the message names only `value`.
 */
struct text number_begin_message(const struct number *n, const char *value, const char *in);

/* Reports why a value is wrong. Returns ST_USAGE. */
int number_report_fault(const struct number *n, const char *value, const char *in,
			enum scan_fault why);

#endif
