/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_SUMS_H
#define NETBENCH_ANALYSE_COMPARE_SUMS_H

#include "analyse/compare/two.h"
#include "analyse/finding.h"

/* Totals over the points of one B, or of all B's. */
struct sums {
	size_t n;		/* points */
	/*
	 * outcomes[]: number of points with each outcome; only[]: number of points that only A, or
	 * only B, has
	 */
	size_t outcomes[NOUTCOMES], only[2];
	/* true: several runs of A and of B were judged, with p-values adjusted for all points */
	bool together;
	size_t ncompared;
	const struct row_pair **compared;	/* the pairs with a ratio, sorted by `slower` */
};

/*
 * Sums up judged pairs. Returns one struct for each B, followed by one for all B's: all->n + 1
 * structs. Call sums_free() at the end.
 */
struct sums *sums_compute(const struct compared *all, const struct row_pairs *p);
void sums_free(struct sums *sums, const struct compared *all);

/* Number of points that both A and this B have. */
size_t count_common_points(const struct sums *sums);

/* The kind of a finding by outcome: "faster", "slower", or for the other outcomes "difference". */
extern const char *const outcome_kinds[NOUTCOMES];

/*
 * Adds a finding for each point that both files have; finding.of is the index of its pair. This
 * finding decides the exit status if the point is past a limit of --fail-if. Also adds a deciding
 * finding for each B that has no common point, or has points at which a limit cannot be told.
 */
void compared_findings(const struct compared *all, const struct row_pairs *p,
		       const struct measure *m, const struct sums *sums, struct findings *found);

/* Number of points of a B for which a limit of --fail-if cannot be told. */
size_t count_untold_points(const struct two *two, const struct row_pairs *p);

#endif
