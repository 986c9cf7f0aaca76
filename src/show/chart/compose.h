/* SPDX-License-Identifier: Apache-2.0 */
/* Distributes the series of pictures over panels. */
#ifndef NETBENCH_SHOW_CHART_COMPOSE_H
#define NETBENCH_SHOW_CHART_COMPOSE_H

#include "show/chart/picture.h"

/*
 * Makes the charts of an album: one chart with all pictures or, if ask->apart, one chart per
 * picture. Returns ST_OK, or ST_USAGE if all points are outside the ranges (reported).
 */
int compose_charts(struct album *a, const struct chart_request *ask);

void compose_free(struct album *a);

#endif
