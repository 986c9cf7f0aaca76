/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot. */
#ifndef NETBENCH_SHOW_GNUPLOT_RUN_H
#define NETBENCH_SHOW_GNUPLOT_RUN_H

#include <stddef.h>

#include "show/gnuplot/canvas.h"

/*
 * Runs gnuplot with a script on its standard input, for at most most_s seconds; 0 means no limit.
 * Sets *picture to gnuplot's standard output, which the caller frees. Returns ST_OK; ST_UNAVAILABLE
 * if gnuplot is not installed or lacks the terminal; ST_FAILED if it fails or takes longer
 * (reported).
 */
int gnuplot_run(const char *script, size_t len, const struct canvas *c, double most_s,
		char **picture, size_t *npicture);

#endif
