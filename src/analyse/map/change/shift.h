/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By how much something has changed between two results: as ratio B/A, and whether it is slower.
 * And what has changed of all pairs, and of the verdicts that either had.
 */
#ifndef NETBENCH_ANALYSE_MAP_CHANGE_SHIFT_H
#define NETBENCH_ANALYSE_MAP_CHANGE_SHIFT_H

#include "analyse/map/change/change.h"

enum changed { CHANGED_UNKNOWN, CHANGED_FASTER, CHANGED_SLOWER, CHANGED_NOT, NCHANGED };
extern const char *const changed_names[];

/* Of values, B/A; NaN without an interval. */
struct ratio_of_two {
	double ratio, lo, hi;
};
struct ratio_of_two change_ratios(enum quantity q, const struct shift *s);

enum changed shift_means(const struct shift *s);

/* The shift of a pair by itself, with its interval. */
struct shift change_shift_of_pair(const struct change_of *of, double by);

/*
 * What is known of a pair whose shift is `by`: it has become slower or faster only if its own
 * verdict, that of its hosts or a change of the network above the least effect explains it. With
 * one visit of either map it is not known that there is no difference.
 */
enum changed change_means_of_pair(const struct changes *c, const struct change_of *of, uint32_t i,
				  uint32_t j, double by);

/*
 * The shift of a verdict on the ratios: for a pair its whole change, for hosts and groups their
 * change beside the network's. A verdict without an error has no interval.
 */
struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster);

/* The same beside the network's change, and for a pair also beside its hosts' change. */
struct shift change_beside(const struct map_verdict *v, bool faster);

/* ---- pairs ---- */

/* Counts of all pairs of a quantity. */
struct totals {
	size_t of[NCHANGED];
	size_t named;		/* by themselves: chance may explain CHANGE_CHANCE of these */
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
