/* SPDX-License-Identifier: Apache-2.0 */
/* How netbench compare compares two maps: the changes as sentences, as rows and in the summary. */
#ifndef NETBENCH_CMD_MAP_COMPARE_H
#define NETBENCH_CMD_MAP_COMPARE_H

#include "cli/comparison.h"

extern const struct comparer map_compares;

#endif
