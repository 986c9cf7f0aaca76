/* SPDX-License-Identifier: Apache-2.0 */
/* Format: a square matrix with or without names. Its rows are senders, its columns receivers. */
#ifndef NETBENCH_CMD_MAP_READ_MATRIX_H
#define NETBENCH_CMD_MAP_READ_MATRIX_H

#include "cmd/map/read/format.h"

extern const struct map_format matrix_format;

#endif
