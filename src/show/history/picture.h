/* SPDX-License-Identifier: Apache-2.0 */
/* The trends of a history as a picture: a panel for each series, its points over the days. */
#ifndef NETBENCH_SHOW_HISTORY_PICTURE_H
#define NETBENCH_SHOW_HISTORY_PICTURE_H

#include "analyse/history/trend.h"
#include "show/chart/chart.h"

#define TREND_PANELS 6 /* the most series of a picture */
#define TREND_POINTS 3 /* the most points of a series: those that became slowest */

/* Zeroed it is empty; for trend_picture_free. */
struct trend_picture {
	struct chart_panel panel[TREND_PANELS];
	struct axis x[TREND_PANELS], y[TREND_PANELS];
	struct trace trace[TREND_PANELS * TREND_POINTS];
	size_t n; /* panels */
};

/*
 * Adds the trend of a series; none beyond TREND_PANELS, or without nights. Costs are drawn as
 * multiples of the median of the first week, with the least and the largest run of each night, and
 * a line at the median between changes.
 */
void trend_picture_add(struct trend_picture *pic, const struct trend *t, const char *name);
void trend_picture_free(struct trend_picture *pic);

/*
 * Draws it into a file, an SVG. ST_OK; ST_NO_VERDICT if there is nothing to draw; ST_UNAVAILABLE
 * without gnuplot; ST_USAGE or ST_FAILED (reported).
 */
int trend_picture_write(struct trend_picture *pic, const char *path, bool overwrite);

#endif
