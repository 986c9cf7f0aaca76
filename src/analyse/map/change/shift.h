/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts changes between two results to the ratio B/A, and decides whether B is slower. Counts
 * the changes of all pairs, and matches the verdicts of both results.
 */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_SHIFT_H
#define NETBENCH_ANALYSE_MAP_CHANGE_SHIFT_H

#include "analyse/map/change/change.h"

enum changed { CHANGED_UNKNOWN, CHANGED_FASTER, CHANGED_SLOWER, CHANGED_NOT, NCHANGED };
extern const char *const changed_names[];

/* Ratio B/A of values with its interval; NaN: no interval. */
struct ratio_of_two {
	double ratio, lo, hi;
};
struct ratio_of_two ratios_from_shift(enum quantity q, const struct shift *s);

enum changed shift_outcome(const struct shift *s);

/* Returns the shift `by` of a pair, with its interval. */
struct shift change_shift_of_pair(const struct change_of *of, double by);

/*
 * Returns the outcome for a pair whose shift is `by`. The pair is slower or faster only if an
 * explanation exists: a verdict on the pair, a verdict on its hosts, or a network change above the
 * smallest effect. If either map has only one visit, the outcome is never "no difference".
 */
enum changed outcome_of_pair(const struct changes *c, const struct change_of *of, uint32_t i,
				  uint32_t j, double by);

/*
 * Returns the shift that a verdict states. For a pair it is the whole change. For hosts and groups
 * it is their change relative to the network's. Without a standard error of the verdict the shift
 * has no interval.
 */
struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster);

/*
 * Returns the shift of a verdict relative to the network's change; for a pair, relative also to the
 * change of its hosts.
 */
struct shift change_relative(const struct map_verdict *v, bool faster);

/* ---- pairs ---- */

/* Numbers of pairs of a quantity. */
struct totals {
	size_t of[NCHANGED];
	/* pairs with a verdict; a share of CHANGE_CHANCE of these verdicts may be due to chance */
	size_t named;
};

/*
 * True if an ordered pair is counted. For round trips only one direction of each pair is counted.
 */
bool change_is_counted(const struct change_of *of, uint32_t i, uint32_t j);

/* Adds all pairs to the totals. */
void count_changes(const struct changes *c, const struct change_of *of, struct totals *t);

/* ---- verdicts ---- */

/* A verdict that only B has, that only A has, or that both have. */
enum had { IS_NEW, IS_GONE, IS_STILL, NHAD };

/*
 * Makes a list of verdicts for each of these cases, as new references. The list IS_STILL has
 * elements [verdict of A, verdict of B]. Verdicts match if they have the same kind, subject,
 * quantity and class.
 */
void match_verdicts(json_t *had[NHAD], json_t *const doc[2]);

#endif
