/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the frame of a panel: its axes with their tics and names, and its legend. */
#ifndef NETBENCH_SHOW_GNUPLOT_FRAME_H
#define NETBENCH_SHOW_GNUPLOT_FRAME_H

#include <stdio.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Writes a text, cut to `width` characters. `left` and `top` are its distances from the left and
 * the top of the canvas. `how` is the rest of gnuplot's command: alignment, font and colour.
 */
void frame_text(FILE *to, const struct canvas *c, double left, double top, const char *text,
		size_t width, const char *how);

/* Returns the argument `how` of frame_text for bold, left-aligned letters. */
const char *frame_bold_style(const struct canvas *c);

/* Writes a panel without its series. */
void frame_put(FILE *to, const struct chart_panel *p, const struct slot *at,
	       const struct layout *l);

/* Writes the tics of a numeric axis, which is "y" or "cb". */
void frame_tics(FILE *to, const char *axis, const struct axis *a);

#endif
