/* SPDX-License-Identifier: Apache-2.0 */
/* The nights of the points that became slowest, as numbers for a picture or a file. Pure. */
#ifndef NETBENCH_ANALYSE_HISTORY_CURVES_H
#define NETBENCH_ANALYSE_HISTORY_CURVES_H

#include <jansson.h>

#include "analyse/history/trend.h"

#define CURVES_SERIES 3 /* the most curves of a series */

/* Costs are multiples of the median of the point's first week. */
struct curve_night {
	char date[NIGHT_DATE];
	double days; /* since the first night of the series */
	double cost, lo, hi; /* of the median run, of the least and of the largest one */
	double level; /* the median between the changes beside this night */
	size_t runs, changes; /* lasting changes up to this night */
};

/* A point of a series over its nights. */
struct curve {
	char *series, *point, *measure; /* its own */
	struct curve_night *at;
	size_t n;
};

/* Zeroed it is empty; for curves_free. */
struct curves {
	struct curve *at;
	size_t n;
};

/* Adds the points of a series that became slowest, the slowest first: CURVES_SERIES at most. */
void curves_add(struct curves *all, const struct trend *t, const char *series);

/* Adds the curves that the rows of a result of history have: none if it has no such columns. */
void curves_read(struct curves *all, const json_t *doc);

void curves_free(struct curves *all);

#endif
