/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a thin visit. The meetings of each of its rounds share no link, because at most one of them
 * leaves each leaf. A pair that was among the fastest in an earlier visit is not measured again.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_THIN_H
#define NETBENCH_ANALYSE_MAP_JUDGE_THIN_H

#include "analyse/map/judge/leaves.h"

struct thin {
	/* one visit; the levels are subtracted, as if all hosts were in one leaf */
	struct matrix m;
	/* usual values of pairs of two leaves when alone, minus `usual` */
	struct leaf_levels levels;
	double usual;		/* median of all values, a logarithm */
	/* share of the pairs of two leaves that were measured; without leaves, of all pairs */
	double tested;
};

/*
 * Measures a thin visit after the visits of m. Without leaves, each pair is measured alone. The
 * result lives as long as the memory in rules->room.
 */
struct thin measure_thin_visit(const struct matrix *m, const struct leaves *leaves,
			       const struct rules *rules);

/*
 * Makes a thin visit from the visits of m, without measuring (S8). A pair within a leaf gets
 * the best of its visits. Another pair gets its visits near the top.
 */
struct thin thin_of_visits(const struct matrix *m, const struct leaves *leaves,
			   const struct rules *rules);

/*
 * True if the visits of m show that pairs of two leaves share links (S8): many of their values are
 * below the pair's best visit, and more than within leaves.
 */
bool visits_show_sharing(const struct matrix *m, const struct leaves *leaves);

/*
 * Like measure_thin_visit(), for quick mode: each host meets three others, each pair alone.
 * `leaves` has no leaf.
 */
struct thin measure_few_pairs(const struct matrix *m, const struct leaves *leaves,
			      const struct rules *rules);

/*
 * Sets t->levels and t->usual from a matrix. A level is the median of the values between two
 * leaves. If these are few, it is the median over all pairs of the same kind: within leaves, or
 * between leaves.
 */
void set_leaf_levels(struct thin *t, const struct matrix *m, const struct leaves *leaves,
		     const struct rules *rules);

/* Subtracts the levels from all visits of a matrix. */
void subtract_leaf_levels(const struct leaf_levels *levels, struct matrix *m);

#endif
