/* SPDX-License-Identifier: Apache-2.0 */
/* Where everything of a chart stands on a canvas. */
#ifndef NETBENCH_SHOW_GNUPLOT_LAYOUT_H
#define NETBENCH_SHOW_GNUPLOT_LAYOUT_H

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Breaks the texts of a chart into lines, and finds room for them and the panels: the canvas grows
 * if it may; else text of the caption is left out, which is said. *l is for layout_free. ST_OK,
 * ST_USAGE if there is no room, ST_FAILED (reported).
 */
int layout_make(struct layout *l, struct chart *chart, struct canvas *c);

void layout_free(struct layout *l);

#endif
