/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_SUMS_H
#define NETBENCH_ANALYSE_COMPARE_SUMS_H

#include "analyse/compare/two.h"
#include "analyse/finding.h"

/* Totals over the points of one B, or of all. */
struct sums {
	size_t n;		/* points */
	/* points with each outcome; points that only A has, or only B */
	size_t outcomes[NOUTCOMES], only[2];
	bool together;		/* several runs of both: p-values are adjusted for all points */
	size_t ncompared;
	const struct row_pair **compared;	/* the pairs with a ratio, sorted by `slower` */
};

/*
 * Sums up judged pairs: one struct for each B, then one for all; all->n + 1 in total. Returns NULL
 * without memory (reported). Call sums_free() at the end.
 */
struct sums *sums_compute(const struct compared *all, const struct row_pairs *p);
void sums_free(struct sums *sums, const struct compared *all);

/* Number of points that both A and this B have. */
size_t count_common_points(const struct sums *sums);

/* The kind of finding for each outcome: "faster", "slower", else "difference". */
extern const char *const outcome_kinds[NOUTCOMES];

/*
 * Adds a finding for each point that both files have; `of` is the index of its pair. It decides if
 * the point is past its limit of --fail-if. Also adds a finding that decides for each B without a
 * common point, and for each B with a point whose limit cannot be told. Returns ST_OK or ST_FAILED
 * (reported).
 */
int compared_findings(const struct compared *all, const struct row_pairs *p,
		      const struct measure *m, const struct sums *sums, struct findings *found);

/* Number of points of a B for which a limit of --fail-if cannot be told. */
size_t count_untold_points(const struct two *two, const struct row_pairs *p);

#endif
