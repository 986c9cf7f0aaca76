/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells by how much something has changed between two results: the ratio B/A, and whether B is
 * slower. Counts the changes of all pairs, and matches the verdicts of both results.
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

/* Shift of a pair that changed by `by`, with its interval. */
struct shift change_shift_of_pair(const struct change_of *of, double by);

/*
 * Outcome for a pair whose shift is `by`. It is slower or faster only if its own verdict, that of
 * its hosts, or a network change above the smallest effect explains it. If either map has only one
 * visit, "no difference" cannot be known.
 */
enum changed outcome_of_pair(const struct changes *c, const struct change_of *of, uint32_t i,
				  uint32_t j, double by);

/*
 * Shift that a verdict on the ratios stands for. For a pair it is the whole change; for hosts and
 * groups it is their change relative to the network's. A verdict without a standard error has no
 * interval.
 */
struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster);

/* The same relative to the network's change, and for a pair also relative to its hosts' change. */
struct shift change_relative(const struct map_verdict *v, bool faster);

/* ---- pairs ---- */

/* Numbers of pairs of a quantity. */
struct totals {
	size_t of[NCHANGED];
	/* pairs with a verdict; chance may explain a share of CHANGE_CHANCE of them */
	size_t named;
};

/* True if an ordered pair is counted: round trips count in one direction only. */
bool change_is_counted(const struct change_of *of, uint32_t i, uint32_t j);

/* Adds all pairs to the totals. */
void count_changes(const struct changes *c, const struct change_of *of, struct totals *t);

/* ---- verdicts ---- */

/* Verdicts only in B, only in A, and in both. */
enum had { IS_NEW, IS_GONE, IS_STILL, NHAD };

/*
 * Makes these lists, as new references. IS_STILL has elements [verdict of A, verdict of B].
 * Verdicts match if they have the same kind, subject, quantity and class.
 */
void match_verdicts(json_t *had[NHAD], json_t *const doc[2]);

#endif
