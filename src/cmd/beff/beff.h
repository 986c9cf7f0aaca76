/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variants of beff. This file declares the ring. hlrs.h declares the rule of HLRS, which has
 * other patterns and columns than the ring. from.c evaluates earlier results again.
 */
#ifndef NETBENCH_CMD_BEFF_BEFF_H
#define NETBENCH_CMD_BEFF_BEFF_H

#include "cli/command.h"
#include "cmd/beff_sum.h"
#include "measure/measure.h"
#include "measure/plan/spec.h"

/* Options of the ring and of --from. Only --from sets `from`. */
struct beff_options {
	const char *from;
	uint64_t upper, lower, width, rule;
};

/* The command beff and its mode --from. */
extern const struct command cmd_beff;
extern const struct mode beff_from;

/* ---- the ring ---- */

extern const struct columns *const beff_columns;

#endif
