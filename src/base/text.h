/* SPDX-License-Identifier: Apache-2.0 */
/* A line of text that is built in pieces: for messages that repeat what a user typed. */
#ifndef NETBENCH_BASE_TEXT_H
#define NETBENCH_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "base/export.h"

/* The text and its length; begin with { .n = 0 }. Cut when full. */
struct text {
	char s[2048];
	size_t n;
};

NETBENCH_EXPORT void text_add(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A text that begins with these words. */
struct text text_from(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Adds `before` and a user's text in quotes: on one line, and cut if it is long. */
void text_quote(struct text *t, const char *before, const char *user);

/* Adds the names, ended by NULL, with commas between them. */
void text_names(struct text *t, const char *const *names);

/*
 * Prints a text's words and a newline, in lines of at most `width` columns. The first begins at
 * column `indent`, where the caller has left it. The others are indented to there. A number stays
 * beside its unit.
 */
void text_wrap(FILE *to, const char *text, int indent, int width);

/*
 * A number for a sentence: up to `digits` significant digits and 9 decimals, never an exponent.
 * From PLAIN_MOST on it is "more than 1000000000000".
 */
#define PLAIN_MOST 1e12
struct numeral {
	char s[24];
};
struct numeral plain(double value, int digits);

/*
 * Opens a stream into *text, for text_close in the same block. Ends the process without memory, as
 * memory_need of base/values.h does.
 */
#define text_open(text) memory_need(open_memstream((text), &(size_t){ 0 }))

/* Closes a stream of open_memstream. Returns its text, for free(); NULL if memory ran out. */
char *text_close(FILE *to, char **text);

#endif
