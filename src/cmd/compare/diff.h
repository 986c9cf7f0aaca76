/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_COMPARE_DIFF_H
#define NETBENCH_CMD_COMPARE_DIFF_H

#include "analyse/compare/two.h"

/*
 * How two runs differ besides their numbers: an object from path ("host.kernel", "options.ci") to
 * [of A, of B], without members that only one has or that differ between any two runs. Appends a
 * text for each section to `warnings`. New reference.
 */
json_t *differences(const struct two *two, json_t *warnings);

#endif
