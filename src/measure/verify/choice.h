/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --verify every and every-timed: which specs are verified message by message, the capabilities
 * they need, and how many iterations fit into memory. Pure.
 */
#ifndef NETBENCH_MEASURE_VERIFY_CHOICE_H
#define NETBENCH_MEASURE_VERIFY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/plan/settings.h"
#include "measure/plan/spec.h"

#define EACH_LINE 64		/* messages begin at cache lines */

/* True if --verify asks to verify each message of the spec's rounds, and that is possible. */
bool each_is_asked(const struct settings *st, const struct spec *spec);

/* True if each message is verified when it arrives, within the measured time. */
bool each_is_timed(const struct settings *st, const struct spec *spec);

/*
 * The most iterations that a round may have: as many as fit into 65536 messages and 64 MiB per
 * rank, but at least one. Returns 0 if one iteration needs more than 1 GiB, and UINT64_MAX if
 * each_is_asked is false. The same on all of the job's `ranks`.
 */
uint64_t each_max_loops(const struct settings *st, const struct spec *spec, int ranks);

/* Capabilities that a spec needs so that each message can be verified; 0: none. */
unsigned each_capabilities(const struct settings *st, const struct spec *spec);

/* Bytes from the start of a message to the next one's. */
size_t each_stride(uint64_t size);

#endif
