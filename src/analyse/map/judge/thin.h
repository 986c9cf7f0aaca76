/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A visit whose meetings share no link: at most one leaves each leaf. What was as fast as any in a
 * visit with others is not measured again.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_THIN_H
#define NETBENCH_ANALYSE_MAP_JUDGE_THIN_H

#include "analyse/map/judge/leaves.h"

struct thin {
	struct matrix m;	/* one visit, without the levels: as if all were in one leaf */
	struct leaf_levels levels;	/* what pairs of two leaves have alone, less `usual` */
	double usual;		/* the median of all values; a log */
	double tested;		/* share of the pairs of two leaves, without any of all pairs */
};

/*
 * Measures the visit after those of m; without leaves each pair is alone. Lives as long as the room
 * of the rules.
 */
struct thin thin_visit(const struct matrix *m, const struct leaves *leaves,
		       const struct rules *rules);

/*
 * Sets the levels of a matrix, and `usual`. A level is the median of the values between two leaves;
 * with few values, of all pairs like these.
 */
void thin_levels(struct thin *t, const struct matrix *m, const struct leaves *leaves,
		 const struct rules *rules);

/* Subtracts the levels from all visits of a matrix. */
void thin_subtract(const struct leaf_levels *levels, struct matrix *m);

#endif
