/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds how two runs differ in other facts than their numbers: machine, build, placement, options.
 * Pure.
 */
#ifndef NETBENCH_ANALYSE_COMPARE_DIFFER_H
#define NETBENCH_ANALYSE_COMPARE_DIFFER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * True for a member whose value may differ between runs of the same thing. `path` is a member of an
 * environment ("time.start") or of options ("options.output").
 */
bool member_is_incidental(const char *path);

/*
 * Compares two values at `path`, recursively. For each member that differs, adds to the object
 * `found` its path ("host.kernel") with [value in a, value in b]. Leaves out members that only one
 * of them has, and incidental ones.
 */
void members_differ(json_t *found, const char *path, json_t *a, json_t *b);

/*
 * Writes a difference from members_differ(), with `between` between its values:
 * "kernel '6.1' -> '6.2'".
 */
void put_difference(FILE *to, const char *name, const json_t *pair, const char *between);

#endif
