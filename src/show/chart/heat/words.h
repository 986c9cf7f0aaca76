/* SPDX-License-Identifier: Apache-2.0 */
/* The text above heat maps, and below them, where verdicts come first. */
#ifndef NETBENCH_SHOW_CHART_HEAT_WORDS_H
#define NETBENCH_SHOW_CHART_HEAT_WORDS_H

#include "show/chart/heat/map.h"
#include "show/chart/picture.h"

/* A few words for a column. */
struct text heat_words(const char *column);

/* What the picture shows: "bandwidth of all pairs of 12 hosts". */
struct text heat_head(const struct picture *pic);

/* The lines below that: the user's label, and the meaning of a cell. */
void heat_title(struct text_lines *to, const struct picture *pic);

/* Fills in the caption. */
void heat_caption(struct picture *pic);

#endif
