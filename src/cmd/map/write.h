/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a file that is judged again. */
#ifndef NETBENCH_CMD_MAP_WRITE_H
#define NETBENCH_CMD_MAP_WRITE_H

#include "analyse/map/verdicts.h"
#include "measure/plan/settings.h"

/* Writes everything as --format and --output say. ST_OK, or an exit status. */
int map_write(const struct settings *st, const char *from, const struct verdicts *all);

#endif
