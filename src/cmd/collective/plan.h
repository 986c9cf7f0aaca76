/* SPDX-License-Identifier: Apache-2.0 */
/* From the options of `collective` to its specs. */
#ifndef NETBENCH_CMD_COLLECTIVE_PLAN_H
#define NETBENCH_CMD_COLLECTIVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/plan/plan.h"

struct collective_options {
	struct numbers operations;	/* enum operation */
	const char *algorithms;		/* names between commas; NULL: the usual ones */
	uint64_t segment, root;		/* root: OPT_AUTO rotates */
	bool in_place;
	uint64_t in_a_row;		/* operations; 0: each from a start of its own */
};

/* The benchmark's `plan`. */
int plan_collective(struct plan *p);

#endif
