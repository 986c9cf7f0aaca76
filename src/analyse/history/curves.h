/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves: the costs, night by night, of the points that slowed down most, for a picture or a file.
 * Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_CURVES_H
#define NETBENCH_ANALYSE_HISTORY_CURVES_H

#include <jansson.h>

#include "analyse/history/trend.h"

#define CURVES_SERIES 3 /* largest number of curves of a series */

/* One night of a point. Costs are relative to the median of the point's first week. */
struct curve_night {
	char date[NIGHT_DATE];
	double days; /* days since the first night of the series */
	/* cost of the median run, of the cheapest run and of the most expensive run */
	double cost, lo, hi;
	/*
	 * median of the nights between the change before this night and the change after it, and
	 * its 95 % interval; the ends are NaN if too few nights lie between the changes
	 */
	double level, level_lo, level_hi;
	/* number of runs of the night; number of lasting changes up to this night */
	size_t runs, changes;
};

/* The nights of a point of a series. */
struct curve {
	char *series, *point, *measure; /* owned by the curve */
	struct curve_night *at;
	size_t n;
};

/* A zeroed struct is empty. Call curves_free() at the end. */
struct curves {
	struct curve *at;
	size_t n;
};

/*
 * Adds the points of a series that slowed down most, the worst first; at most CURVES_SERIES points.
 */
void curves_add(struct curves *all, const struct trend *t, const char *series);

/*
 * Adds the curves that the rows of a result of history contain; none if the result lacks the
 * columns.
 */
void curves_read(struct curves *all, const json_t *doc);

void curves_free(struct curves *all);

#endif
