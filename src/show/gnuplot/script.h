/* SPDX-License-Identifier: Apache-2.0 */
/* Writes charts as scripts for gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_SCRIPT_H
#define NETBENCH_SHOW_GNUPLOT_SCRIPT_H

#include <stddef.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Writes a script, with all data, that draws n charts one after another. All charts get the size of
 * the highest one; *c is set to that size. `path` is the file that gnuplot writes; NULL: its
 * standard output. The caller frees *script. The script contains only numbers and quoted texts from
 * results. Returns ST_OK; ST_USAGE if the canvas is too small (reported).
 */
int script_write(struct chart *charts, size_t n, struct canvas *c, const char *path, char **script,
		 size_t *len);

#endif
