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

/* The shift of a pair by itself, with its interval. */
struct shift change_shift_of_pair(const struct change_of *of, double by);

/*
 * The shift of a verdict on the ratios: for a pair its whole change, for hosts and groups their
 * change beside the network's. A verdict without an error has no interval.
 */
struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster);

/* The same beside the network's change, and for a pair also beside its hosts' change. */
struct shift change_beside(const struct map_verdict *v, bool faster);

#endif
