/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the measurements for --from from files of map and of other programs. */
#ifndef NETBENCH_CMD_MAP_READ_FROM_H
#define NETBENCH_CMD_MAP_READ_FROM_H

#include "cmd/map/options.h"
#include "cmd/map/read/format.h"

/* The choices of --from-unit, in the order of enum from_unit. */
extern const char *const from_units[];

/*
 * Reads the files of --from into the study. There is either one file with visits, such as a result
 * of map, or several files with one visit each. Warns about pairs without a value in files of other
 * programs. Returns ST_OK or another ST_* (reported, with the line at fault). Call study_free in
 * each case.
 */
int from_read(const struct map_options *o, bool unit_given, struct study *s);

#endif
