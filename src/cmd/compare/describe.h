/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_COMPARE_DESCRIBE_H
#define NETBENCH_CMD_COMPARE_DESCRIBE_H

#include "analyse/compare/two.h"

/*
 * The compared results as the environment of a record. Appends warnings, those of points unless p
 * is NULL, and prints them to standard error. New reference.
 */
json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings);

#endif
