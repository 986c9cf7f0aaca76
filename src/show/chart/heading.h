/* SPDX-License-Identifier: Apache-2.0 */
/* What stands above a chart, and what files are in its legend. */
#ifndef NETBENCH_SHOW_CHART_HEADING_H
#define NETBENCH_SHOW_CHART_HEADING_H

#include "show/chart/picture.h"

/* Finds the facts of a file. ST_OK, or ST_FAILED without memory (reported). */
int heading_find_facts(struct plot_run *run);

void heading_free_facts(struct plot_run *run);

/*
 * A file in the legend: its label, what differs from the other files unless the user gave labels,
 * and the words of its column if it is another one; for free(). NULL without memory.
 */
char *heading_legend(const struct picture *pic, const struct plot_run *run);

/* "atlas-1.4 pairs (4 of 10)", by the summary of that command if there is one. */
void heading_benchmark(char *buf, size_t len, const struct picture *pic, bool numbered);

/* Writes what stands above n pictures of a chart. ST_OK, or ST_FAILED (reported). */
int heading_write(struct text_lines *to, const struct picture *pics, size_t n);

#endif
