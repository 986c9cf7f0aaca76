/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the specs of `collective` from its options. */
#ifndef NETBENCH_CMD_COLLECTIVE_PLAN_H
#define NETBENCH_CMD_COLLECTIVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/plan/plan.h"

struct collective_options {
	struct numbers operations;	/* requested operations, values of enum operation */
	const char *algorithms;		/* names separated by commas; NULL: the default ones */
	uint64_t segment, root;		/* root: the root rank; OPT_AUTO: the root rotates */
	uint64_t reduce_op, values;	/* enum reduce_op, enum reduce_values */
	bool in_place;
	/* operations that share one start; 0: each operation has its own start */
	uint64_t in_a_row;
};

extern const char *const reduce_op_names[];
extern const char *const values_names[];

/* Implements hook `plan` of struct benchmark. */
int plan_collective(struct plan *p);

#endif
