/* SPDX-License-Identifier: Apache-2.0 */
/* --from: judges a file, and writes its result. */
#ifndef NETBENCH_CMD_MAP_WRITE_H
#define NETBENCH_CMD_MAP_WRITE_H

#include "measure/plan/settings.h"

/* Judges the measurements of a file: nothing can be measured again. ST_OK, or an exit status. */
int map_judge_file(const struct settings *st);

#endif
