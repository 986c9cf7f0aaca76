/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a heat map, each a pair or a tile of pairs, the scale of their colours, and names. */
#ifndef NETBENCH_SHOW_CHART_HEAT_CELLS_H
#define NETBENCH_SHOW_CHART_HEAT_CELLS_H

#include "show/chart/heat/map.h"
#include "show/chart/picture.h"

/* Makes labels of the hosts, short enough for a map. */
void cells_name(struct heat *h);

/* The label of a row of cells: the label of its first host. */
const char *cells_name_of(const struct heat *h, size_t row);

/* Makes cells of `per` senders by `per` receivers. */
void cells_cut(struct heat *h, size_t per, enum plot_tile of);

/* The ends of the scale of the cells, and whether it is logarithmic. */
void cells_scale(struct heat_map *m, const struct heat *h);

/* True if a pair of a cell failed. True if a cell is a host with itself, which is no pair. */
bool cells_failed(const struct heat *h, const struct heat_map *m, size_t row, size_t column);
bool cells_empty(const struct heat *h, size_t row, size_t column);

#endif
