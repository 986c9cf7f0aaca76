/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the positions of the parts of a chart on a canvas. */
#ifndef NETBENCH_SHOW_GNUPLOT_LAYOUT_H
#define NETBENCH_SHOW_GNUPLOT_LAYOUT_H

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Breaks the texts of a chart into lines, and places them and the panels. A canvas without a fixed
 * size grows if necessary. On a canvas of fixed size, the last lines of the caption may be cut. The
 * caption then says how many lines were cut. The caller frees *l with layout_free. Returns ST_OK,
 * or ST_USAGE if the canvas is too small (reported).
 */
int layout_make(struct layout *l, struct chart *chart, struct canvas *c);

void layout_free(struct layout *l);

#endif
