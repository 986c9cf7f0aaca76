/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the text above a chart, and the names of files in its legend. */
#ifndef NETBENCH_SHOW_CHART_HEADING_H
#define NETBENCH_SHOW_CHART_HEADING_H

#include "show/chart/picture.h"

/*
 * Sets run->facts, the facts about a file that the text above a picture can show. The caller frees
 * them.
 */
void heading_find_facts(struct plot_run *run);

/*
 * Returns the entry of a file in the legend. The entry has the file's label, and the name of the
 * file's column if the picture has another column. Unless the user gave labels, the entry also has
 * the facts that differ between files.
 */
struct text heading_legend(const struct picture *pic, const struct plot_run *run);

/*
 * Returns the benchmark of a picture and, if known, a summary of the benchmark's command, such as
 * "atlas-1.4 pairs".
 */
struct text heading_benchmark(const struct picture *pic);

/* Writes the text above the n pictures of a chart. */
void heading_write(struct text_lines *to, const struct picture *pics, size_t n);

#endif
