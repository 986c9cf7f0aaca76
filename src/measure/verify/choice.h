/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --verify every and every-timed: the specs that are verified message by message, their needs for
 * it, and how many iterations fit into memory. Pure.
 */
#ifndef NETBENCH_MEASURE_VERIFY_CHOICE_H
#define NETBENCH_MEASURE_VERIFY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/plan/settings.h"
#include "measure/plan/spec.h"

#define EACH_LINE 64		/* messages begin at cache lines */

/* True if the rounds of a spec are verified so. */
bool each_is_asked(const struct settings *st, const struct spec *spec);

/* True if this is done message by message, within the time. */
bool each_is_timed(const struct settings *st, const struct spec *spec);

/*
 * Iterations that a round may have: as many as fit into 65536 messages and 64 MiB a rank, but at
 * least one; 0: one takes more than 1 GiB. Without each_is_asked any number, UINT64_MAX. All of
 * the job's `ranks` yield the same.
 */
uint64_t each_most_loops(const struct settings *st, const struct spec *spec, int ranks);

/* Capabilities that a spec needs for it; 0: none. */
unsigned each_needs(const struct settings *st, const struct spec *spec);

/* Bytes from one message to the next. */
size_t each_stride(uint64_t size);

#endif
