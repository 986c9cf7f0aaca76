/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_COMPARE_DESCRIBE_H
#define NETBENCH_CMD_COMPARE_DESCRIBE_H

#include "analyse/compare/two.h"

/*
 * Returns a description of the compared results for the environment of a record (new reference).
 * Appends warnings to `warnings` and prints them to standard error. If `p` is NULL, there are no
 * warnings about points.
 */
json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings);

#endif
