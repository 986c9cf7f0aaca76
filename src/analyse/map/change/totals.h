/* SPDX-License-Identifier: Apache-2.0 */
/* What has changed between two results, of all pairs and of the verdicts that either had. */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_TOTALS_H
#define NETBENCH_ANALYSE_MAP_CHANGE_TOTALS_H

#include "analyse/map/change/shift.h"

/* ---- pairs ---- */

#define TOTALS_WORST 10

/* A pair and its shift. */
struct shifted {
	uint32_t i, j;
	double by;
};

/* Of all pairs of a quantity. */
struct totals {
	size_t of[NCHANGED];
	struct shifted worst[TOTALS_WORST];	/* of those that are slower, the slowest first */
	size_t nworst;
};

/* Whether an ordered pair is one that is counted: of round trips each pair is there once. */
bool change_counts(const struct change_of *of, uint32_t i, uint32_t j);

/* Adds all pairs. */
void totals_sum(const struct changes *c, const struct change_of *of, struct totals *t);

/* ---- verdicts ---- */

/* Verdicts of A and B, by what they say of whom. */
enum had { IS_NEW, IS_GONE, IS_STILL, NHAD };

/*
 * Makes lists of the verdicts of B that A has not, those of A that B has not, and [of A, of B] of
 * both; new references.
 */
void had_match(json_t *had[NHAD], json_t *const doc[2]);

#endif
