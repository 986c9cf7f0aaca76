/* SPDX-License-Identifier: Apache-2.0 */
/* Points of series. */
#ifndef NETBENCH_SHOW_CHART_POINTS_H
#define NETBENCH_SHOW_CHART_POINTS_H

#include "show/chart/picture.h"

/* Appends a point to a series. */
void points_push(struct trace *s, struct plot_point p);

/* For qsort: orders points by x. */
int points_compare(const void *a, const void *b);

/*
 * Thins a picture of more points than ask->points_most. In each part of the axis of x it keeps the
 * points with the least, the median and the greatest value. Call it after axes_scale.
 */
void points_thin(struct picture *pic);

#endif
