/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in scripts for gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_QUOTE_H
#define NETBENCH_SHOW_GNUPLOT_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A text in gnuplot's quotes, in which nothing is special; a byte that is not UTF-8 or controls a
 * terminal becomes '?'. A text of more than `width` characters is cut and ends in "...".
 */
struct text quoted(const char *text, size_t width);

/* The same for a format of tics, in which % stands twice; `format` comes before it as it is. */
struct text quoted_format(const char *format, const char *text);

/* True if quoted leaves no character of a text out. */
bool quote_is_whole(const char *text);

#endif
