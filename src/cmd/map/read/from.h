/* SPDX-License-Identifier: Apache-2.0 */
/* For --from: reads measurements from files, CSV or results of map. */
#ifndef NETBENCH_CMD_MAP_READ_FROM_H
#define NETBENCH_CMD_MAP_READ_FROM_H

#include "analyse/map/study/study.h"

/*
 * Reads a CSV with a row per visit and ordered pair, or a result of map in JSON. ST_OK, or ST_*
 * (reported, with the line that is at fault); study_free in either case.
 */
int from_read(const char *path, struct study *s);

#endif
