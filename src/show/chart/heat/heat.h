/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a result of map as a heat map: a cell for every ordered pair of hosts. heat.c reads the
 * pairs and orders the hosts. cells.c makes cells, the scale of their colours and the labels of
 * hosts. words.c writes title and caption.
 */
#ifndef NETBENCH_SHOW_CHART_HEAT_HEAT_H
#define NETBENCH_SHOW_CHART_HEAT_HEAT_H

#include "show/chart/picture.h"

/* Returns true if these files are drawn as a heat map. */
bool heat_is_wanted(const struct album *a, const struct chart_request *ask);

/*
 * Reads the selected pairs into pic->heat. The caller frees it with heat_free. Reads the requested
 * column or, without a request, bandwidth and half round trip. Returns ST_OK, or ST_USAGE if no
 * pair has a value (reported).
 */
int heat_make(struct picture *pic);

void heat_free(struct heat *h);

/* Makes a panel for each map, and the caption. */
void heat_compose(struct chart *c, struct picture *pic);

#endif
