/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analyse/compare/two.h"

/*
 * The compared results as the environment of a record. Appends warnings, those of points unless p
 * is NULL, and prints them to standard error. New reference.
 */
json_t *compare_describe(const struct compared *all, const struct row_pairs *p, json_t *warnings);
