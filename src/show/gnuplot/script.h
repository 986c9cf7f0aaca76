/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as scripts for gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_SCRIPT_H
#define NETBENCH_SHOW_GNUPLOT_SCRIPT_H

#include <stddef.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Writes a script with its data that draws n charts one after another. All have the size of the
 * highest, which *c has afterwards. `path`: the file for gnuplot to write, NULL for its standard
 * output. The script is in *script, for free(). Only its numbers and quoted texts come from a
 * result. ST_OK; ST_USAGE if the canvas is too small (reported).
 */
int script_write(struct chart *charts, size_t n, struct canvas *c, const char *path, char **script,
		 size_t *len);

#endif
