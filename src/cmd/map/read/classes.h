/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For --classes and --topology: classes of hosts, and switches and their nodes, in Slurm's
 * topology.conf or the output of 'scontrol show topology'.
 */
#ifndef NETBENCH_CMD_MAP_READ_CLASSES_H
#define NETBENCH_CMD_MAP_READ_CLASSES_H

#include "analyse/map/study/study.h"
#include "cmd/map/options.h"

/*
 * Reads the file of classes, lines of a host and its class, or of switches, if either is given.
 * ST_OK, or ST_* (reported, with the line that is at fault).
 */
int classes_find(const struct map_options *o, struct study *s);

/* Reads which switch each host is at. Else as classes_find. */
int topology_read(const char *path, struct study *s);

#endif
