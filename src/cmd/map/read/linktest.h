/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Format of LinkTest 1: the file gnuplotinput.dat from pingponganalysis -g. It has one line for
 * each pair of ranks.
 */
#ifndef NETBENCH_CMD_MAP_READ_LINKTEST_H
#define NETBENCH_CMD_MAP_READ_LINKTEST_H

#include "cmd/map/read/format.h"

extern const struct map_format linktest_format;

#endif
