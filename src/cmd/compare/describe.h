/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_COMPARE_DESCRIBE_H
#define NETBENCH_CMD_COMPARE_DESCRIBE_H

#include "analyse/compare/two.h"

/*
 * Describes the compared results, for the environment of a record. Appends warnings and prints them
 * to standard error. `p` may be NULL; then there are no warnings about points. New reference.
 */
json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings);

#endif
