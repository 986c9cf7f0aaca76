/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the series of a panel. */
#ifndef NETBENCH_SHOW_GNUPLOT_PANEL_H
#define NETBENCH_SHOW_GNUPLOT_PANEL_H

#include <stdio.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/* Writes the data of the series of a panel, and the command that draws them. */
void panel_put(FILE *to, const struct chart_panel *p, const struct slot *at,
	       const struct canvas *c);

#endif
