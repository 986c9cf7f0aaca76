/* SPDX-License-Identifier: Apache-2.0 */
/* CSV with a row per ordered pair, and per visit if it has a column `visit`. */
#ifndef NETBENCH_CMD_MAP_READ_COLUMNS_H
#define NETBENCH_CMD_MAP_READ_COLUMNS_H

#include "cmd/map/read/format.h"

extern const struct map_format columns_format;

/* Warns that a file of map's own has medians in place of visits. */
void columns_warn_medians(const char *path);

#endif
