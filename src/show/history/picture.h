/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the trends of a history. Each series has a panel. In the panel each point of the series has
 * a curve over the days.
 */
#ifndef NETBENCH_SHOW_HISTORY_PICTURE_H
#define NETBENCH_SHOW_HISTORY_PICTURE_H

#include "analyse/history/curves.h"

#define TREND_PANELS 6 /* the largest number of series in a picture */

/*
 * Draws the curves of up to TREND_PANELS series as an element <svg>. A curve shows the cost of each
 * night, with the smallest and the largest run of the night. A line shows the median between
 * changes. Ids in the SVG begin with `prefix`. The caller frees *svg. Returns ST_OK; ST_NO_VERDICT
 * without curves; ST_UNAVAILABLE without gnuplot; ST_FAILED (reported).
 */
int trend_draw(const struct curves *all, const char *prefix, char **svg);

#endif
