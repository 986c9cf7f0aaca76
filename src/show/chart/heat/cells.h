/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the cells of a heat map, the scale of their colours, and the labels of hosts. A cell is a
 * pair or a tile of several pairs.
 */
#ifndef NETBENCH_SHOW_CHART_HEAT_CELLS_H
#define NETBENCH_SHOW_CHART_HEAT_CELLS_H

#include "show/chart/heat/map.h"
#include "show/chart/picture.h"

/* Makes labels for the hosts that are short enough for a map. */
void cells_make_labels(struct heat *h);

/* Returns the label of a row of cells: the label of its first host. */
const char *cells_label(const struct heat *h, size_t row);

/*
 * Makes the cells, each for `per` senders and `per` receivers. `of` chooses the value of a cell
 * with several pairs.
 */
void cells_make(struct heat *h, size_t per, enum plot_tile of);

/* Sets the ends of the scale of the cells, and whether it is logarithmic. */
void cells_set_scale(struct heat_map *m, const struct heat *h);

/*
 * cells_has_failed_pair returns true if a pair of the cell failed. cells_is_one_host returns true
 * if the cell stands for a host with itself, which is not a pair.
 */
bool cells_has_failed_pair(const struct heat *h, const struct heat_map *m, size_t row,
			   size_t column);
bool cells_is_one_host(const struct heat *h, size_t row, size_t column);

#endif
