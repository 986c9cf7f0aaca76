/* SPDX-License-Identifier: Apache-2.0 */
/* By how much something has changed between two results: as ratio B/A, and whether it is slower. */
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

/* With intervals: of a pair by itself. */
struct shift change_shift_of_pair(const struct change_of *of, double by);

/*
 * What a verdict on the ratios says: of a pair all of its change, of hosts and groups theirs beside
 * the network's. One without an error has no interval.
 */
struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster);

/* The same beside the network's, and of a pair also beside that of its hosts. */
struct shift change_beside(const struct map_verdict *v, bool faster);

#endif
