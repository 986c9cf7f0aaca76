/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the ranks that take part: one rank of each host, or all ranks, in the order of their
 * names.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAYERS_H
#define NETBENCH_CMD_MAP_MEASURE_PLAYERS_H

#include "cmd/map/measure/mapping.h"

/*
 * Finds the ranks that take part. Sets m->n, m->rank and m->own on all ranks, and the names in the
 * study on rank 0. Aborts the job if there are fewer than two, or if the file of classes does not
 * match them. Collective.
 */
void players_find(struct mapping *m);

#endif
