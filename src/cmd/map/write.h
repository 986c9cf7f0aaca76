/* SPDX-License-Identifier: Apache-2.0 */
/* map --from: judges a file, and writes the result. */
#ifndef NETBENCH_CMD_MAP_WRITE_H
#define NETBENCH_CMD_MAP_WRITE_H

#include "measure/plan/settings.h"

/*
 * Judges the measurements in the files of --from. Suspects are not measured again. Returns ST_OK or
 * an exit status.
 */
int map_judge_file(const struct settings *st);

#endif
