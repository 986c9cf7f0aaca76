/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the text above heat maps and the caption below them. The caption begins with the verdicts.
 */
#ifndef NETBENCH_SHOW_CHART_HEAT_WORDS_H
#define NETBENCH_SHOW_CHART_HEAT_WORDS_H

#include "show/chart/heat/map.h"
#include "show/chart/picture.h"

/* Returns the name of a column in words. */
struct text heat_column_words(const char *column);

/* Returns the heading of the picture, such as "bandwidth of all pairs of 12 hosts". */
struct text heat_heading(const struct picture *pic);

/* Adds the lines after the first: the user's label, and the meaning of a cell. */
void heat_add_title(struct text_lines *to, const struct picture *pic);

/* Writes the caption. */
void heat_write_caption(struct picture *pic);

#endif
