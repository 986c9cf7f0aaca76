/* SPDX-License-Identifier: Apache-2.0 */
/* What stands above heat maps, and below them: first the verdicts. */
#ifndef NETBENCH_SHOW_CHART_HEAT_WORDS_H
#define NETBENCH_SHOW_CHART_HEAT_WORDS_H

#include "show/chart/heat/map.h"
#include "show/chart/picture.h"

/* What a column is, in a few words. Returns buf. */
char *heat_words(char *buf, size_t len, const char *column);

/* What the picture shows: "bandwidth of all pairs of 12 hosts". */
void heat_head(char *buf, size_t len, const struct picture *pic);

/* Below that: what the user calls the result, and what a cell is. */
void heat_title(struct text_lines *to, const struct picture *pic);

/* Fills in the caption. ST_OK, or ST_FAILED (reported). */
int heat_caption(struct picture *pic);

#endif
