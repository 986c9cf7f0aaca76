/* SPDX-License-Identifier: Apache-2.0 */
/* The places of the parts of a chart on a canvas. */
#ifndef NETBENCH_SHOW_GNUPLOT_LAYOUT_H
#define NETBENCH_SHOW_GNUPLOT_LAYOUT_H

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Breaks the texts of a chart into lines, and places them and the panels. The canvas grows if it
 * may. Else the caption loses lines, and reports their number. *l is for layout_free. ST_OK, or
 * ST_USAGE if the canvas is too small (reported).
 */
int layout_make(struct layout *l, struct chart *chart, struct canvas *c);

void layout_free(struct layout *l);

#endif
