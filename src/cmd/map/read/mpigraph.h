/* SPDX-License-Identifier: Apache-2.0 */
/* Output of mpiGraph: tables of MiB/s of all pairs, sending and receiving. */
#ifndef NETBENCH_CMD_MAP_READ_MPIGRAPH_H
#define NETBENCH_CMD_MAP_READ_MPIGRAPH_H

#include "cmd/map/read/format.h"

extern const struct map_format mpigraph_format;

#endif
