/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a line of text from pieces, for example a message that quotes a user's text. */
#ifndef NETBENCH_BASE_TEXT_H
#define NETBENCH_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "base/export.h"

/* A text and its length. Initialise it with { .n = 0 }. Text that does not fit is cut. */
struct text {
	char s[2048];
	size_t n;
};

NETBENCH_EXPORT void text_add(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns a new text, formatted as by printf. */
struct text text_from(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Adds a user's text in quotes, preceded within the quotes by `before`. Control characters become
 * '?', and a long text is cut.
 */
void text_quote(struct text *t, const char *before, const char *user);

/* Adds names with commas between them. The list of names ends with NULL. */
void text_add_names(struct text *t, const char *const *names);

/*
 * Prints a text and a newline, broken at blanks into lines of at most `width` columns. When called,
 * the output must be at column `indent`. Every further line is indented to that column. A number
 * stays on one line with its unit.
 */
void text_wrap(FILE *to, const char *text, int indent, int width);

/*
 * Formats a number for a sentence: with at most `digits` significant digits and 9 decimals, never
 * with an exponent. If the number is PLAIN_MOST or larger, the text is "more than 1000000000000".
 */
#define PLAIN_MOST 1e12
struct numeral {
	char s[24];
};
struct numeral plain(double value, int digits);

/*
 * Opens a stream that writes to memory, which *text points at once it is closed. Close it with
 * text_close in the same block. If memory is short, memory_or_exit (base/values.h) ends the
 * process.
 */
#define text_open(text) memory_or_exit(open_memstream((text), &(size_t){ 0 }))

/*
 * Closes a stream of open_memstream. Returns its text, or NULL if memory was short. The caller
 * frees it.
 */
char *text_close(FILE *to, char **text);

#endif
