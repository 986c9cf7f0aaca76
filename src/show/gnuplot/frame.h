/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the frame of a panel: its axes with their tics and names, and its legend. */
#ifndef NETBENCH_SHOW_GNUPLOT_FRAME_H
#define NETBENCH_SHOW_GNUPLOT_FRAME_H

#include <stdio.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Writes a text at a position from the left and the top of the canvas, cut to `width` characters.
 * `how` is the rest of gnuplot's command: alignment, font and colour.
 */
void frame_text(FILE *to, const struct canvas *c, double left, double top, const char *text,
		size_t width, const char *how);

/* Returns `how` for bold letters that begin at the position. */
const char *frame_bold_style(const struct canvas *c);

/* Writes a panel except its series. */
void frame_put(FILE *to, const struct chart_panel *p, const struct slot *at,
	       const struct layout *l);

/* Writes the tics of an axis of numbers, "y" or "cb". */
void frame_tics(FILE *to, const char *axis, const struct axis *a);

#endif
