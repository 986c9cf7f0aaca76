/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the differences between two runs other than their measured numbers: machine, build,
 * placement, options. Pure.
 */
#ifndef NETBENCH_ANALYSE_COMPARE_DIFFER_H
#define NETBENCH_ANALYSE_COMPARE_DIFFER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * True for an incidental member: its value may differ between runs that can be compared. `path` is
 * a member of an environment ("time.start") or of options ("options.output").
 */
bool member_is_incidental(const char *path);

/*
 * Compares two values at `path`, recursively. For each member that differs, adds its path
 * ("host.kernel") to the object `found`, with [value in a, value in b]. Ignores incidental members,
 * and members that only a or only b has.
 */
void members_differ(json_t *found, const char *path, json_t *a, json_t *b);

/*
 * Writes a difference that members_differ() found. `between` goes between the two values, such as "
 * -> " in "kernel '6.1' -> '6.2'".
 */
void put_difference(FILE *to, const char *name, const json_t *pair, const char *between);

#endif
