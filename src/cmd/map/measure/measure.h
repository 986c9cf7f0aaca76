/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map measures: in each round of a tournament every host has another partner, and all pairs of a
 * round play at the same time: a ping-pong, then a stream one way, then one the other way. Then
 * rank 0 judges, and all ranks measure the rounds that it asks for.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_MEASURE_H
#define NETBENCH_CMD_MAP_MEASURE_MEASURE_H

#include "measure/plan/benchmark.h"

extern const struct benchmark map_pairs;

#endif
