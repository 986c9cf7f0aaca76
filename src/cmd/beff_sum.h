/* SPDX-License-Identifier: Apache-2.0 */
/*
 * b_eff of a ring: the mean of bandwidths over the sizes (DEFINITIONS 3). With several visits each
 * has its own, by the best of its first repetitions, and b_eff is their median. Rank 0.
 */
#ifndef NETBENCH_CMD_BEFF_SUM_H
#define NETBENCH_CMD_BEFF_SUM_H

#include "measure/measure.h"

enum beff_rule { RULE_NETBENCH, RULE_HPCC_FPGA, RULE_HLRS };
extern const char *const beff_rules[];

/* What a result of the rule netbench with one visit is called, and with several. */
#define BEFF_RING "beff.ring.v2"
#define BEFF_RING_VISITED "beff.ring.v3"
#define BEFF_RING_HPCC_FPGA "beff.ring.hpcc-fpga.v2"

/* No more visits have a b_eff. */
#define BEFF_VISITS 1000

/* The sums of b(L) over the sizes so far, n of them. */
struct beff_sum {
	enum beff_rule rule;
	int ranks;
	uint64_t upper;		/* loop length; OPT_AUTO until a pilot has found it */
	double b[BEFF_VISITS];	/* of each visit */
	size_t visits;		/* that all sizes so far have; 1 by other rules than netbench */
	size_t n;
	bool reference;		/* so far the sizes were 1, 2, 4, ... */
};

/* Sets a row's own cells. */
void beff_cells(const struct beff_sum *sum, const struct record *rec, const struct result *res,
		struct row *row);

/* Adds the bandwidths of a size to the sums. */
void beff_add(struct beff_sum *sum, const struct result *res);

/*
 * b_eff, B/s: of one visit, or the median of several; lo and hi bound that median, from six visits
 * on (base/stats.h), else NaN. p50 is NaN without any size.
 */
struct summary beff_score(const struct beff_sum *sum);

/* b_eff into the summary; returns the lines under the table, for free(), or NULL without memory. */
char *beff_conclude(const struct beff_sum *sum, json_t *summary, enum rate_unit rates);

#endif
