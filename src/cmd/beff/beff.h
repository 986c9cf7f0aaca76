/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms of beff: the ring here, the rule of HLRS with other patterns and columns (hlrs.h), and
 * the evaluation of earlier results (from.c).
 */
#ifndef NETBENCH_CMD_BEFF_BEFF_H
#define NETBENCH_CMD_BEFF_BEFF_H

#include "cli/command.h"
#include "cmd/beff_sum.h"
#include "measure/measure.h"
#include "measure/plan/spec.h"

/* Options of the ring and of --from, which alone has set `from`. */
struct beff_options {
	const char *from;
	uint64_t upper, lower, width, rule;
};

/* beff, and its mode --from. */
extern const struct command cmd_beff;
extern const struct mode beff_from;

/* ---- the ring ---- */

extern const struct columns *const beff_columns;

#endif
