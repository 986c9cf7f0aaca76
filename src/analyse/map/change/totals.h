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

/* Counts of all pairs of a quantity. */
struct totals {
	size_t of[NCHANGED];
	struct shifted worst[TOTALS_WORST];	/* slower pairs, the slowest first */
	size_t nworst;
};

/* True if an ordered pair is counted: a round trip counts in one direction only. */
bool change_counts(const struct change_of *of, uint32_t i, uint32_t j);

/* Adds all pairs. */
void totals_sum(const struct changes *c, const struct change_of *of, struct totals *t);

/* ---- verdicts ---- */

/* Lists of verdicts: in B alone, in A alone, in both. */
enum had { IS_NEW, IS_GONE, IS_STILL, NHAD };

/*
 * Makes the lists, IS_STILL with elements [of A, of B]. Verdicts match if they have the same kind,
 * subject, quantity and class. New references.
 */
void had_match(json_t *had[NHAD], json_t *const doc[2]);

#endif
