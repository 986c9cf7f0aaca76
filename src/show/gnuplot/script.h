/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as scripts for gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_SCRIPT_H
#define NETBENCH_SHOW_GNUPLOT_SCRIPT_H

#include <stddef.h>

#include "show/chart/chart.h"
#include "show/gnuplot/canvas.h"

/*
 * Writes a script with its data that draws n charts, one after another, on canvases of one size;
 * c->height has the one that was needed. `path`: the file that gnuplot is to write, NULL for its
 * standard output. The script is in *script, for free(). Only numbers and quoted texts of it come
 * from a file. ST_OK; ST_USAGE if there is no room, ST_FAILED (reported).
 */
int script_write(struct chart *charts, size_t n, struct canvas *c, const char *path, char **script,
		 size_t *len);

#endif
