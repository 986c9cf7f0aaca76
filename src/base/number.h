/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of options and fields: their types and ranges, and the message for a wrong one. */
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

/* The value of a whole number or a size, or of seconds, if the user gave its `word`. */
#define NUMBER_AUTO UINT64_MAX
#define NUMBER_AUTO_SECONDS (-1.0)

/* A number that a user may give: its type and range, and its name in messages. */
struct number {
	enum number_type type;
	bool list;		/* of such numbers */
	const char *of;		/* begins messages: "board 'custom'"; NULL: nothing */
	const char *dashes, *name;	/* "--" and "max-size" */
	double min, max;	/* no top if max < min; both 0: any */
	const char *word;	/* taken instead, see NUMBER_AUTO; may be NULL */
	double unit_s;		/* seconds without a unit are multiplied by this */
};

/* True if sizes may have suffixes. */
bool number_suffixes(const struct number *n);

/* Reads a single number (not a list) into *to, a uint64_t or a double. ST_OK or ST_USAGE. */
int number_take(const struct number *n, const char *text, void *to);

/*
 * Reads a list of whole numbers or sizes in place of what *to has, which is freed; the word is an
 * empty list. Of a fault *to stays as it was. ST_OK or ST_USAGE.
 */
int number_take_list(const struct number *n, const char *text, struct numbers *to);

/* Adds "1 to 64k", or "1 or more" without a top or with one above `huge`. */
void number_range(struct text *t, const struct number *n, double huge);

/* Begins "value 'x' in 'y,x' of '--name' "; `in` is the whole text that x is from. */
struct text number_fault(const struct number *n, const char *value, const char *in);

/* Reports what is wrong with such a value. ST_USAGE. */
int number_refuse(const struct number *n, const char *value, const char *in, enum scan_fault why);

#endif
