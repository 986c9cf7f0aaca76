/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For --topology: Slurm's topology.conf, and what 'scontrol show topology' prints, switches and
 * their nodes.
 */
#ifndef NETBENCH_CMD_MAP_READ_TOPOLOGY_H
#define NETBENCH_CMD_MAP_READ_TOPOLOGY_H

#include "analyse/map/study/study.h"

/*
 * Reads which switch each host is at. ST_OK, or ST_* (reported, with the line that is at fault).
 */
int topology_read(const char *path, struct study *s);

#endif
