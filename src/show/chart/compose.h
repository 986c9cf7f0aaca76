/* SPDX-License-Identifier: Apache-2.0 */
/* Panels of pictures. */
#ifndef NETBENCH_SHOW_CHART_COMPOSE_H
#define NETBENCH_SHOW_CHART_COMPOSE_H

#include "show/chart/picture.h"

/*
 * Makes charts of an album's pictures: one chart, or if ask->apart one for each picture. ST_OK, or
 * ST_USAGE if all points are outside the ranges (reported).
 */
int compose_charts(struct album *a, const struct chart_request *ask);

void compose_free(struct album *a);

#endif
