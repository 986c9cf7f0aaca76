/* SPDX-License-Identifier: Apache-2.0 */
/* b_eff of a ring: the mean of bandwidths over the sizes (DEFINITIONS 3). Rank 0. */
#ifndef NETBENCH_CMD_BEFF_SUM_H
#define NETBENCH_CMD_BEFF_SUM_H

#include "measure/measure.h"

enum beff_rule { RULE_NETBENCH, RULE_HPCC_FPGA, RULE_HLRS };
extern const char *const beff_rules[];

/* The sum of b(L) over the sizes so far, n of them. */
struct beff_sum {
	enum beff_rule rule;
	int ranks;
	uint64_t upper;		/* loop length; OPT_AUTO until a pilot has found it */
	double b;
	size_t n;
	bool reference;		/* so far the sizes were 1, 2, 4, ... */
};

/* Sets a row's own cells and adds its bandwidth to the sum. */
void beff_cells(struct beff_sum *sum, const struct record *rec, const struct result *res,
		struct row *row);

/* b_eff into the summary; returns the lines under the table, for free(), or NULL without memory. */
char *beff_conclude(const struct beff_sum *sum, json_t *summary, enum rate_unit rates);

#endif
