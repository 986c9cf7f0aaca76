/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the inputs of collective operations and checks the results of the operations: every byte
 * that is moved, and every bit of a sum (COLLECTIVES.md 46).
 */
#ifndef NETBENCH_MEASURE_COLLECTIVE_INPUTS_H
#define NETBENCH_MEASURE_COLLECTIVE_INPUTS_H

#include <stdint.h>

#include "measure/plan/spec.h"

struct session;

/* Writes this rank's input number `seq`, and sets the memory of this rank's result to zeros. */
void inputs_prepare(struct session *s, const struct collective *c, uint64_t seq);

/*
 * Checks this rank's result of an operation on input number `seq`. Returns the number of wrong
 * blocks. Adds the number of checked blocks to *checked.
 */
uint64_t inputs_check(const struct session *s, const struct collective *c, uint64_t seq,
		      uint64_t *checked);

/*
 * Returns a number that is the same on all ranks if the results of an allreduce are the same to the
 * bit. Returns 0 for other operations, and for whole numbers, whose results are verified to the
 * bit.
 */
uint64_t inputs_digest_result(const struct session *s, const struct collective *c);

#endif
