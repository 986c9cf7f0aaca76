/* SPDX-License-Identifier: Apache-2.0 */
/* The text above a chart, and the names of files in its legend. */
#ifndef NETBENCH_SHOW_CHART_HEADING_H
#define NETBENCH_SHOW_CHART_HEADING_H

#include "show/chart/picture.h"

/* Finds the facts of a file, for free(). */
void heading_find_facts(struct plot_run *run);

/*
 * A file in the legend: its label, and the words of its column if the picture's is another. Unless
 * the user gave labels, it has the facts that differ from other files.
 */
struct text heading_legend(const struct picture *pic, const struct plot_run *run);

/* "atlas-1.4 pairs", by the summary of that command if there is one. */
struct text heading_benchmark(const struct picture *pic);

/* Writes the text above n pictures of a chart. */
void heading_write(struct text_lines *to, const struct picture *pics, size_t n);

#endif
