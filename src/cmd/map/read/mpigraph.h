/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Format: output of mpiGraph. The output has two tables with the bandwidth of each pair, MiB/s: one
 * for sending and one for receiving.
 */
#ifndef NETBENCH_CMD_MAP_READ_MPIGRAPH_H
#define NETBENCH_CMD_MAP_READ_MPIGRAPH_H

#include "cmd/map/read/format.h"

extern const struct map_format mpigraph_format;

#endif
