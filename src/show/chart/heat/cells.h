/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the cells of a heat map, the scale of their colours, and the labels of hosts. A cell is a
 * pair or a tile of several pairs.
 */
#ifndef NETBENCH_SHOW_CHART_HEAT_CELLS_H
#define NETBENCH_SHOW_CHART_HEAT_CELLS_H

#include "show/chart/heat/map.h"
#include "show/chart/picture.h"

/* Makes labels of the hosts that are short enough for a map. */
void cells_name(struct heat *h);

/* Returns the label of a row of cells: the label of its first host. */
const char *cells_name_of(const struct heat *h, size_t row);

/*
 * Makes cells of `per` senders and `per` receivers each. `of` chooses the value of a cell with
 * several pairs.
 */
void cells_cut(struct heat *h, size_t per, enum plot_tile of);

/* Sets the ends of the scale of the cells, and whether it is logarithmic. */
void cells_scale(struct heat_map *m, const struct heat *h);

/*
 * cells_failed: true if a pair of the cell failed. cells_empty: true if the cell is a host with
 * itself, which is no pair.
 */
bool cells_failed(const struct heat *h, const struct heat_map *m, size_t row, size_t column);
bool cells_empty(const struct heat *h, size_t row, size_t column);

#endif
