/* SPDX-License-Identifier: Apache-2.0 */
/* How two runs differ besides their numbers: machine, build, placement, options. Pure. */
#ifndef NETBENCH_ANALYSE_COMPARE_DIFFER_H
#define NETBENCH_ANALYSE_COMPARE_DIFFER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * True for a member of an environment ("time.start"), or of options ("options.output"), that
 * differs between runs of the same thing.
 */
bool member_is_incidental(const char *path);

/*
 * Compares two values, named by `path`, down to what has no members. Adds to `found`, an object,
 * from a member's path ("host.kernel") to [of a, of b]. Leaves out members of one alone, and
 * incidental ones.
 */
void members_differ(json_t *found, const char *path, json_t *a, json_t *b);

/* Writes what members_differ has found of a member: "kernel '6.1' -> '6.2'". */
void difference_put(FILE *to, const char *name, const json_t *pair, const char *between);

#endif
