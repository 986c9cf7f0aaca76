/* SPDX-License-Identifier: Apache-2.0 */
/* Draws heat maps, as an image or with characters. */
#ifndef NETBENCH_SHOW_GNUPLOT_HEAT_H
#define NETBENCH_SHOW_GNUPLOT_HEAT_H

#include <stdio.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Returns the smallest height of a panel with a map if the panel has this width, in lines of text.
 */
double heat_height(const struct chart_panel *p, double width, const struct layout *l);

/* Writes a panel with a map. Each map of a chart needs its own `number`. */
void heat_put(FILE *to, const struct chart_panel *p, size_t number, const struct slot *at,
	      const struct layout *l);

#endif
