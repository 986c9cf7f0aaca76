/* SPDX-License-Identifier: Apache-2.0 */
/* Names of hosts as a heat map has room for them. */
#ifndef NETBENCH_SHOW_CHART_HEAT_NAMES_H
#define NETBENCH_SHOW_CHART_HEAT_NAMES_H

#include "show/chart/heat/heat.h"

/* Makes the labels. ST_OK, or ST_FAILED (reported). */
int names_shorten(struct heat *h);

/* The label of a row of cells: that of its first host. */
const char *names_of(const struct heat *h, size_t row);

#endif
