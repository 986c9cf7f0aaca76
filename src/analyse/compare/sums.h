/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_SUMS_H
#define NETBENCH_ANALYSE_COMPARE_SUMS_H

#include "analyse/compare/two.h"
#include "analyse/finding.h"

/* Totals over the points of one B, or of all. */
struct sums {
	size_t n;		/* points */
	size_t outcomes[NOUTCOMES], only[2];
	bool together;		/* several runs of both: p-values are of all points together */
	size_t ncompared;
	const struct row_pair **compared;	/* those with a ratio, sorted by `slower` */
};

/*
 * Sums up pairs that are judged: of each B, then of all; all->n + 1 of them. NULL without memory
 * (reported). For sums_free.
 */
struct sums *sums_make(const struct compared *all, const struct row_pairs *p);
void sums_free(struct sums *sums, const struct compared *all);

/* The points of a B that A has, too. */
size_t sums_common(const struct sums *sums);

/* The kind of finding that an outcome is: "faster", "slower", else "difference". */
extern const char *const outcome_kinds[NOUTCOMES];

/*
 * Adds a finding for each point that both files have, `of` being the number of its pair: it decides
 * if it is past its limit of --fail-if. Adds one that decides for each B without a point, and for
 * each with points whose limit cannot be told. ST_OK or ST_FAILED (reported).
 */
int compared_findings(const struct compared *all, const struct row_pairs *p,
		      const struct measure *m, const struct sums *sums, struct findings *found);

/* The points of a B at which a limit of --fail-if cannot be told. */
size_t points_open(const struct two *two, const struct row_pairs *p);

#endif
