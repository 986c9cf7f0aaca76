/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What beff's forms share: the ring (beff.c), the rule of HLRS with other patterns and columns (beff_hlrs.c), and results
 * that are evaluated again (beff_from.c).
 */
#ifndef NETBENCH_CMD_BEFF_BEFF_H
#define NETBENCH_CMD_BEFF_BEFF_H

#include "measure/bench.h"

enum beff_rule { RULE_NETBENCH, RULE_HPCC_FPGA, RULE_HLRS };
extern const char *const beff_rules[];

/* Options of the ring and of --from, which alone has set `from`. */
extern struct beff_opts {
	const char *from;
	uint64_t upper, lower, width, rule;
} beff_opts;

/* beff, and what it is by --rule hlrs and by --from. */
extern const struct command cmd_beff;
extern const struct mode beff_hlrs, beff_from;

/*
 * The rows of a result of --rule hlrs into an empty state of that benchmark, which its `finish` then frees. ST_OK, or if
 * they are none ST_USAGE and without memory ST_FAILED (reported), with nothing to free.
 */
int beff_hlrs_take(struct bench *b, const json_t *rows, const char *path);

/* Writes a row for each pattern of which all is known. ST_OK or ST_FAILED. */
int beff_hlrs_rows(struct bench *b);

#endif
