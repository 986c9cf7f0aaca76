/* SPDX-License-Identifier: Apache-2.0 */
/*
 * b_eff of a ring: the mean of the bandwidths over the sizes (DEFINITIONS 3). With several visits,
 * each visit has its own b_eff, from the best of its first repetitions. The result is the median
 * over the visits. Only for rank 0.
 */
#ifndef NETBENCH_CMD_BEFF_SUM_H
#define NETBENCH_CMD_BEFF_SUM_H

#include "measure/measure.h"
#include "result/foreign/hpcc.h"

enum beff_rule { RULE_NETBENCH, RULE_HPCC_FPGA, RULE_HLRS };
extern const char *const beff_rules[];

/*
 * Names of definitions: rule netbench with one visit, rule netbench with several visits, rule
 * hpcc-fpga.
 */
#define BEFF_RING "beff.ring.v2"
#define BEFF_RING_VISITED "beff.ring.v3"
#define BEFF_RING_HPCC_FPGA HPCC_DEFINITION

/* Largest number of visits with their own b_eff. */
#define BEFF_VISITS 1000

/* The sums of the bandwidths b(L) over the n sizes L so far. */
struct beff_sum {
	enum beff_rule rule;
	int ranks;
	uint64_t upper;		/* loop length; OPT_AUTO until a pilot has found it */
	double b[BEFF_VISITS];	/* sum of the bandwidths, for each visit */
	/* smallest number of visits that any size so far had; 1 unless the rule is netbench */
	size_t visits;
	size_t n;
	bool reference;		/* whether the sizes so far were 1, 2, 4, ... */
};

/* Sets those cells of a row that belong only to b_eff. */
void beff_set_cells(const struct beff_sum *sum, const struct record *rec, const struct result *res,
		    struct row *row);

/* Adds the bandwidths of a size to the sums. */
void beff_add_size(struct beff_sum *sum, const struct result *res);

/*
 * Returns b_eff, B/s. p50 is the b_eff of the only visit, or the median of b_eff over several
 * visits. p50 is NaN if no size was added. lo and hi bound the median if there are six or more
 * visits (base/stats.h), else they are NaN.
 */
struct summary beff_score(const struct beff_sum *sum);

/*
 * Puts b_eff into the summary. Returns the lines under the table, or NULL without memory. The
 * caller frees them.
 */
char *beff_conclude(const struct beff_sum *sum, json_t *summary, enum rate_unit rates);

#endif
