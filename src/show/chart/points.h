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
 * Thins out a picture that has more points than ask->points_most. In each part of the x axis, keeps
 * the points with the smallest, the median and the largest value. Call it after axes_complete.
 */
void points_thin(struct picture *pic);

#endif
