/* SPDX-License-Identifier: Apache-2.0 */
/* Handles lines of text, in UTF-8, above and below a chart. */
#ifndef NETBENCH_SHOW_CHART_LINES_H
#define NETBENCH_SHOW_CHART_LINES_H

#include "show/chart/chart.h"

/* Appends a line in the format of printf. */
void lines_add(struct text_lines *lines, enum line_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Breaks lines longer than `width` characters. */
void lines_wrap(struct text_lines *lines, size_t width);

void lines_free(struct text_lines *lines);

/*
 * Returns the number of bytes of the first UTF-8 character; 0 if it is malformed or not printable.
 */
size_t utf8_length(const char *text);

/*
 * Returns the start of the next character, or of the next byte if the first character is malformed.
 */
const char *utf8_next(const char *text);

/* Returns the number of characters of a text. */
size_t utf8_width(const char *text);

#endif
