/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_COMPARE_DESCRIBE_H
#define NETBENCH_CMD_COMPARE_DESCRIBE_H

#include "analyse/compare/two.h"

/*
 * What was compared, as the environment; appends warnings, of points unless p is NULL, and says
 * them on standard error. New reference.
 */
json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings);

#endif
