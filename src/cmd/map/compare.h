/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two maps for netbench compare. Gives the changes as sentences, as rows and as a summary.
 */
#ifndef NETBENCH_CMD_MAP_COMPARE_H
#define NETBENCH_CMD_MAP_COMPARE_H

#include "cli/comparison.h"

extern const struct comparer map_compares;

#endif
