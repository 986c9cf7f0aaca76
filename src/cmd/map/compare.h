/* SPDX-License-Identifier: Apache-2.0 */
/* For netbench compare: changes between two maps, in sentences, rows and the summary. */
#ifndef NETBENCH_CMD_MAP_COMPARE_H
#define NETBENCH_CMD_MAP_COMPARE_H

#include "cli/comparison.h"

extern const struct comparer map_compares;

#endif
