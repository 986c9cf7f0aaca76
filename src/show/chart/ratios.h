/* SPDX-License-Identifier: Apache-2.0 */
/* Draws results of compare: ratios of B to A. */
#ifndef NETBENCH_SHOW_CHART_RATIOS_H
#define NETBENCH_SHOW_CHART_RATIOS_H

#include "base/text.h"
#include "show/chart/picture.h"

/* Returns true if the picture shows the ratios of a result of compare. */
bool ratios_are_drawn(const struct picture *pic);

/*
 * Chooses the looks of all series. Marks differ by verdict. Colours differ by keys if series differ
 * in keys.
 */
void ratios_choose_looks(struct picture *pic);

/*
 * Returns the ratio at which --fail-if begins to fail: the limit above 1 if `above`, else below 1.
 * NaN: no limit.
 */
double ratios_fail_limit(const struct picture *pic, bool above);

/*
 * ratios_shade_limits shades the ratios beyond the limits of --fail-if. ratios_add_caption explains
 * the shading.
 */
void ratios_shade_limits(const struct picture *pic, struct chart_panel *panel);
void ratios_add_caption(struct picture *pic);

/*
 * ratios_axis_name returns the name of the axis. ratios_add_heading adds the first line above the
 * picture. ratios_add_compared adds the names of the compared results.
 */
struct text ratios_axis_name(const struct picture *pic);
void ratios_add_heading(struct text_lines *to, const struct picture *pic);
void ratios_add_compared(struct text *to, const json_t *doc);

#endif
