/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a heat map, each a pair or a tile of pairs, and the scale of their colours. */
#ifndef NETBENCH_SHOW_CHART_HEAT_TILES_H
#define NETBENCH_SHOW_CHART_HEAT_TILES_H

#include "show/chart/heat/heat.h"

/* Makes cells of so many hosts by as many. ST_OK, or ST_FAILED (reported). */
int tiles_cut(struct heat *h, size_t per, enum plot_tile of);

/* The ends of the scale of the cells, and whether it is logarithmic. */
void tiles_scale(struct heat_map *m, const struct heat *h);

/* True if a cell has a pair that failed; and if it has no pair: it is a host with itself. */
bool tiles_failed(const struct heat *h, const struct heat_map *m, size_t row, size_t column);
bool tiles_empty(const struct heat *h, size_t row, size_t column);

#endif
