/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes texts for scripts of gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_QUOTE_H
#define NETBENCH_SHOW_GNUPLOT_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * Returns a text in gnuplot's single quotes, where no character is special. Control characters and
 * bytes of malformed UTF-8 become '?'. A text of more than `width` characters is cut and ends in
 * "...".
 */
struct text quoted(const char *text, size_t width);

/* Returns a quoted format for tics. It is `format`, followed by `text` with each % doubled. */
struct text quoted_format(const char *format, const char *text);

/* Returns true if quoted() keeps all characters of a text when the width is sufficient. */
bool quote_keeps_all(const char *text);

#endif
