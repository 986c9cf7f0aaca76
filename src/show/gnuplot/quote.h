/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in scripts for gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_QUOTE_H
#define NETBENCH_SHOW_GNUPLOT_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A text in gnuplot's single quotes, where no character is special. A byte that is malformed UTF-8
 * or a control becomes '?'. A text of more than `width` characters is cut and ends in "...".
 */
struct text quoted(const char *text, size_t width);

/* The same for a format of tics, after `format`. % in the text is doubled. */
struct text quoted_format(const char *format, const char *text);

/* True if `quoted` keeps all characters of a text. */
bool quote_is_whole(const char *text);

#endif
