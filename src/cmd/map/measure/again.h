/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the rounds that judging asks for. */
#ifndef NETBENCH_CMD_MAP_MEASURE_AGAIN_H
#define NETBENCH_CMD_MAP_MEASURE_AGAIN_H

#include "cmd/map/measure/mapping.h"

/*
 * Judges m->all on rank 0, and measures the rounds that judging asks for. Ends with all verdicts
 * (m->judged), or if the run is over. Collective.
 */
void again_all(struct mapping *m);

#endif
