/* SPDX-License-Identifier: Apache-2.0 */
/* The nights of those points that slowed down most, as numbers for a picture or a file. Pure. */
#ifndef NETBENCH_ANALYSE_HISTORY_CURVES_H
#define NETBENCH_ANALYSE_HISTORY_CURVES_H

#include <jansson.h>

#include "analyse/history/trend.h"

#define CURVES_SERIES 3 /* largest number of curves of a series */

/* One night of a point. Costs are multiples of the median of the point's first week. */
struct curve_night {
	char date[NIGHT_DATE];
	double days; /* since the first night of the series */
	/* cost of the median run, of the cheapest run and of the costliest one */
	double cost, lo, hi;
	double level; /* median between the change before this night and the next one */
	size_t runs, changes; /* runs of the night; lasting changes up to it */
};

/* A point of a series over its nights. */
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

/* Adds the points of a series that slowed down most, in that order: at most CURVES_SERIES. */
void curves_add(struct curves *all, const struct trend *t, const char *series);

/*
 * Adds the curves from the rows of a result of history. Adds none if the result lacks their
 * columns.
 */
void curves_read(struct curves *all, const json_t *doc);

void curves_free(struct curves *all);

#endif
