/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks that play: one of each host, or all ranks, in the order of their names. */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAYERS_H
#define NETBENCH_CMD_MAP_MEASURE_PLAYERS_H

#include "cmd/map/measure/mapping.h"

/*
 * Finds the ranks that play: m->n and m->rank on all ranks, their names in the study on rank 0;
 * aborts the job if there are too few, or the classes do not fit them. Collective.
 */
void players_find(struct mapping *m);

#endif
