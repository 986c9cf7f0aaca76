/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_ANALYSE_COMPARE_SUMS_H
#define NETBENCH_ANALYSE_COMPARE_SUMS_H

#include "analyse/compare/two.h"
#include "analyse/finding.h"

/* Totals over the points of one B, or of all. */
struct sums {
	size_t n;		/* points */
	size_t outcomes[NOUTCOMES], only[2];
	size_t judged, standing;	/* by chance; outcomes that stand among all points */
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

/* What --fail-if asks for. */
struct fail_if {
	bool asked;
	double factor[NOUTCOMES]; /* an outcome of at least this fails the command; NaN: never */
};

/* The kind of finding that an outcome is: "faster", "slower", else "difference". */
extern const char *const outcome_kinds[NOUTCOMES];

/* The factor of an outcome: B's time over A's; for FASTER the reverse. */
double outcome_factor(enum outcome outcome, double slower);

/* Whether an outcome reaches its limit of --fail-if. */
bool fail_if_reached(const struct fail_if *fail, enum outcome outcome, double slower);

/*
 * Adds a finding for each point that both files have, `of` being the number of its pair, and for
 * each B without one. ST_OK or ST_FAILED (reported).
 */
int compared_findings(const struct compared *all, const struct row_pairs *p,
		      const struct measure *m, const struct sums *sums, const struct fail_if *fail,
		      struct findings *found);

#endif
