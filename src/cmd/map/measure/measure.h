/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring all pairs, from plan to rows. */
#ifndef NETBENCH_CMD_MAP_MEASURE_MEASURE_H
#define NETBENCH_CMD_MAP_MEASURE_MEASURE_H

#include "measure/plan/benchmark.h"

extern const struct benchmark map_pairs;

#endif
