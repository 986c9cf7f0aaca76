/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the specs of `collective` from its options. */
#ifndef NETBENCH_CMD_COLLECTIVE_PLAN_H
#define NETBENCH_CMD_COLLECTIVE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/plan/plan.h"

struct collective_options {
	struct numbers operations;	/* requested operations, values of enum operation */
	const char *algorithms;		/* names separated by commas; NULL: the default ones */
	uint64_t segment, root;		/* root: the root rank; OPT_AUTO: the root rotates */
	uint64_t reduce_op, values;	/* enum reduce_op, enum reduce_values */
	uint64_t cache;			/* enum cache_state */
	bool in_place, overlap;
	/* operations that share one start; 0: each operation has its own start */
	uint64_t in_a_row;
	/* --guidelines: the algorithms name the left side, whose alternatives are also measured */
	bool guidelines;
	struct numbers fail_if;		/* not empty: violations fail the run */
	const char *from;		/* result whose rows are judged; NULL: measure */
};

extern const char *const reduce_op_names[];
extern const char *const values_names[];

enum cache_state { CACHE_WARM, CACHE_ROTATE };
extern const char *const cache_names[];

/* Options that apply both to measuring and to --from. */
extern const char *const collective_fail_if[];
#define COLLECTIVE_JUDGING_OPTIONS \
	{ 0, "guidelines", NULL, OPT_FLAG, offsetof(struct collective_options, guidelines), \
	  .help = "compare each operation with its alternatives: operations composed of others, " \
		  "and netbench's algorithms" }, \
	{ 0, "from", "file", OPT_TEXT, offsetof(struct collective_options, from), \
	  .file = OPT_READ, .help = "measure nothing: judge the guidelines of a result (JSON)" }, \
	{ 0, "fail-if", "finding", OPT_CHOICES, offsetof(struct collective_options, fail_if), \
	  .choices = collective_fail_if, \
	  .help = "guideline: exit 1 if a guideline is violated, and 4 if one was not judged" }

/* Implements hook `plan` of struct benchmark. */
int plan_collective(struct plan *p);

#endif
