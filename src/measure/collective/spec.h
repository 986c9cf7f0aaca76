/* SPDX-License-Identifier: Apache-2.0 */
/* Specs of collective operations: which ranks, how many operations in a block, and their memory. */
#ifndef NETBENCH_MEASURE_COLLECTIVE_SPEC_H
#define NETBENCH_MEASURE_COLLECTIVE_SPEC_H

#include <stdint.h>

#include "measure/plan/spec.h"

struct plan;

/* Largest number of operations in a block (COLLECTIVES.md section 2). */
#define BLOCK_MOST 1000

/* Returns why an operation cannot be measured, "n/a: ...", or NULL if it can. */
const char *collective_refusal(const struct collective *c);

/*
 * Adds a spec to the plan: the operation *c, which is copied, of ranks 0 to P - 1. The spec has the
 * data `own` and the number of its series. A row says why if the operation cannot be measured.
 * Returns ST_OK or another ST_* (reported).
 */
int plan_add_operation(struct plan *p, const struct collective *c, uint32_t series,
		       const void *own);

#endif
