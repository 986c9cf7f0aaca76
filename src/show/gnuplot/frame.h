/* SPDX-License-Identifier: Apache-2.0 */
/* What is around the series of a panel: its axes with their tics and names, its legend. */
#ifndef NETBENCH_SHOW_GNUPLOT_FRAME_H
#define NETBENCH_SHOW_GNUPLOT_FRAME_H

#include <stdio.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/* A text at a place from the left and the top of the canvas; `how` ends the line. */
void frame_text(FILE *to, const struct canvas *c, double left, double top, const char *text,
		size_t width, const char *how);

/* How a text that begins there is in bold letters. */
const char *frame_bold(const struct canvas *c);

/* Writes all of a panel but its series. */
void frame_put(FILE *to, const struct chart_panel *p, const struct slot *at,
	       const struct layout *l);

/* Writes the tics of an axis of numbers with a unit, "y" or "cb", between its ends. */
void frame_tics(FILE *to, const char *axis, const struct axis *a);

#endif
