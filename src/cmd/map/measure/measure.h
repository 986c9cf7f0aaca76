/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures all pairs of hosts for `map`. In each round of a tournament every host has a new
 * partner. All pairs of a round are measured at the same time: a ping-pong, then a stream one way,
 * then a stream the other way. At the end rank 0 judges the values. All ranks measure the further
 * rounds that judging requests.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_MEASURE_H
#define NETBENCH_CMD_MAP_MEASURE_MEASURE_H

#include "measure/plan/benchmark.h"

extern const struct benchmark map_pairs;

#endif
