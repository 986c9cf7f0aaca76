/* SPDX-License-Identifier: Apache-2.0 */
/* Adds points to series, sorts them and thins them out. */
#ifndef NETBENCH_SHOW_CHART_POINTS_H
#define NETBENCH_SHOW_CHART_POINTS_H

#include "show/chart/picture.h"

/* Appends a point to a series. */
void points_push(struct trace *s, struct plot_point p);

/* For qsort: orders points by x. */
int points_compare(const void *a, const void *b);

/*
 * Thins out a picture with more points than ask->points_most. In each part of the x axis it keeps
 * the points with the least, the median and the greatest value. Call it after axes_complete.
 */
void points_thin(struct picture *pic);

#endif
