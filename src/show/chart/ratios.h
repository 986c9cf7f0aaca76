/* SPDX-License-Identifier: Apache-2.0 */
/* Results of compare: ratios of B to A. */
#ifndef NETBENCH_SHOW_CHART_RATIOS_H
#define NETBENCH_SHOW_CHART_RATIOS_H

#include "base/text.h"
#include "show/chart/picture.h"

/* True if the ratios of a result of compare are drawn. */
bool ratios_are_drawn(const struct picture *pic);

/*
 * Chooses the looks of all series: marks by verdict, and colours by keys if series differ in keys.
 */
void ratios_look(struct picture *pic);

/* The ratio at which --fail-if begins to fail, above 1 or below; NaN: never. */
double ratios_limit(const struct picture *pic, bool above);

/* Shade the ratios beyond the limits, and explain the shading in the caption. */
void ratios_shade(const struct picture *pic, struct chart_panel *panel);
void ratios_caption(struct picture *pic);

/* The name of the axis; the first line above the picture; the results that were compared. */
struct text ratios_name(const struct picture *pic);
void ratios_head(struct text_lines *to, const struct picture *pic);
void ratios_add_compared(struct text *to, const json_t *doc);

#endif
