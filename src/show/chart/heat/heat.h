/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heat map of a result of map, every ordered pair of hosts as a cell: heat.c reads the pairs
 * and puts the hosts in order, cells.c makes cells and their colours' scale of them and labels the
 * hosts, words.c has title and caption.
 */
#ifndef NETBENCH_SHOW_CHART_HEAT_HEAT_H
#define NETBENCH_SHOW_CHART_HEAT_HEAT_H

#include "show/chart/picture.h"

/* True if what is asked for of files is a heat map. */
bool heat_suits(const struct album *a, const struct chart_request *ask);

/*
 * Reads the pairs that the picture selects, of a column or, if none is asked for, of bandwidth and
 * half round trip, into pic->heat, for heat_free. ST_OK; ST_USAGE if there is nothing to draw,
 * ST_FAILED without memory (reported).
 */
int heat_make(struct picture *pic);

void heat_free(struct heat *h);

/* Makes a panel of each map, and the caption. ST_OK or ST_FAILED (reported). */
int heat_compose(struct chart *c, struct picture *pic);

#endif
