/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For --verify every and every-timed: which specs are verified message by message, which
 * capabilities they need, and how many iterations fit into memory. Pure.
 */
#ifndef NETBENCH_MEASURE_VERIFY_CHOICE_H
#define NETBENCH_MEASURE_VERIFY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/plan/settings.h"
#include "measure/plan/spec.h"

#define EACH_LINE 64		/* alignment of a message in memory, bytes: a cache line */

/*
 * Returns true if --verify asks to verify each message in the rounds of this spec, and such
 * verification is possible.
 */
bool each_is_asked(const struct settings *st, const struct spec *spec);

/* Returns true if each message is verified when it arrives, within the measured time. */
bool each_is_timed(const struct settings *st, const struct spec *spec);

/*
 * Returns the most iterations that a round may have: the number that fits into 65536 messages and
 * 64 MiB per rank, but at least 1. Returns 0 if one iteration needs more than 1 GiB, and UINT64_MAX
 * if each_is_asked is false. The result is the same on all `ranks` of the job.
 */
uint64_t each_max_loops(const struct settings *st, const struct spec *spec, int ranks);

/* Returns the capabilities that a spec needs for the verification of each message; 0: none. */
unsigned each_capabilities(const struct settings *st, const struct spec *spec);

/* Returns the distance between the starts of two messages in memory, bytes. */
size_t each_stride(uint64_t size);

#endif
