/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What collective operations are given, and what they must have made of it: every byte that is
 * moved, every bit of a sum (COLLECTIVES.md 46).
 */
#ifndef NETBENCH_MEASURE_COLLECTIVE_INPUTS_H
#define NETBENCH_MEASURE_COLLECTIVE_INPUTS_H

#include <stdint.h>

#include "measure/plan/spec.h"

struct session;

/* Writes this rank's input number `seq`, and zeros where its result will be. */
void inputs_prepare(struct session *s, const struct collective *c, uint64_t seq);

/*
 * Returns how many blocks of this rank's result are wrong after operations on that input. Adds the
 * blocks to *checked.
 */
uint64_t inputs_check(const struct session *s, const struct collective *c, uint64_t seq,
		      uint64_t *checked);

#endif
