/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For --topology: switches and their nodes, in Slurm's topology.conf or the output of 'scontrol
 * show topology'.
 */
#ifndef NETBENCH_CMD_MAP_READ_TOPOLOGY_H
#define NETBENCH_CMD_MAP_READ_TOPOLOGY_H

#include "analyse/map/study/study.h"

/*
 * Reads which switch each host is at. ST_OK, or ST_* (reported, with the line that is at fault).
 */
int topology_read(const char *path, struct study *s);

#endif
