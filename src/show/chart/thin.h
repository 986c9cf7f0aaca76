/* SPDX-License-Identifier: Apache-2.0 */
/* Series of more points than a page can show. */
#ifndef NETBENCH_SHOW_CHART_THIN_H
#define NETBENCH_SHOW_CHART_THIN_H

#include "show/chart/picture.h"

/*
 * Of more points than ask->points_most keeps those with the least, the median and the greatest
 * value in each part of the axis of x. After axes_scale. ST_OK or ST_FAILED without memory
 * (reported).
 */
int thin_picture(struct picture *pic);

#endif
