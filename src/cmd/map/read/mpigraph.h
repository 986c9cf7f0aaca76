/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Format: output of mpiGraph, which has tables of MiB/s of all pairs, for sending and for
 * receiving.
 */
#ifndef NETBENCH_CMD_MAP_READ_MPIGRAPH_H
#define NETBENCH_CMD_MAP_READ_MPIGRAPH_H

#include "cmd/map/read/format.h"

extern const struct map_format mpigraph_format;

#endif
