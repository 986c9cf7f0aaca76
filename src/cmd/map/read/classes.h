/* SPDX-License-Identifier: Apache-2.0 */
/* For --classes. */
#ifndef NETBENCH_CMD_MAP_READ_CLASSES_H
#define NETBENCH_CMD_MAP_READ_CLASSES_H

#include "analyse/map/study/study.h"

/*
 * Reads the hosts' classes: lines of a name and a class. ST_OK, or ST_* (reported, with the line
 * that is at fault).
 */
int classes_read(const char *path, struct study *s);

#endif
