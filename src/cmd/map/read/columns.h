/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Format: CSV with a row for each ordered pair. If the file has a column `visit`, it has a row for
 * each visit of each ordered pair.
 */
#ifndef NETBENCH_CMD_MAP_READ_COLUMNS_H
#define NETBENCH_CMD_MAP_READ_COLUMNS_H

#include "cmd/map/read/format.h"

extern const struct map_format columns_format;

/* Warns that the file, written by map, has medians instead of visits. */
void columns_warn_medians(const char *path);

#endif
