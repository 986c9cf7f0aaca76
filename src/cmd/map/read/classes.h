/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the files of --classes and --topology. The file of --classes assigns classes to hosts. The
 * file of --topology lists switches and their nodes: Slurm's topology.conf, or the output of
 * 'scontrol show topology'.
 */
#ifndef NETBENCH_CMD_MAP_READ_CLASSES_H
#define NETBENCH_CMD_MAP_READ_CLASSES_H

#include "analyse/map/study/study.h"
#include "cmd/map/options.h"

/*
 * Reads the file of --classes or the file of --topology, if one is given, into the study. Returns
 * ST_OK, or another ST_* (reported, with the line at fault).
 */
int classes_find(const struct map_options *o, struct study *s);

/*
 * Reads a file of --topology and finds the switch of each host. Returns ST_OK or another ST_*
 * (reported, with the line at fault).
 */
int topology_read(const char *path, struct study *s);

#endif
