/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text, in UTF-8, above and below a chart. */
#ifndef NETBENCH_SHOW_CHART_LINES_H
#define NETBENCH_SHOW_CHART_LINES_H

#include "show/chart/chart.h"

/* Appends a line. */
void lines_add(struct text_lines *lines, enum line_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Breaks lines longer than `width` characters. */
void lines_wrap(struct text_lines *lines, size_t width);

void lines_free(struct text_lines *lines);

/* Bytes of the UTF-8 character at the beginning; 0 if it is malformed or not printable. */
size_t utf8_length(const char *text);

/* The next character, or the next byte if this one is malformed. */
const char *utf8_next(const char *text);

/* The number of characters of a text. */
size_t utf8_width(const char *text);

#endif
