/* SPDX-License-Identifier: Apache-2.0 */
/* A square matrix, with or without names: its rows send. */
#ifndef NETBENCH_CMD_MAP_READ_MATRIX_H
#define NETBENCH_CMD_MAP_READ_MATRIX_H

#include "cmd/map/read/format.h"

extern const struct map_format matrix_format;

#endif
