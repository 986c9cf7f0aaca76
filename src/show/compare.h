/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_COMPARE_H
#define NETBENCH_SHOW_COMPARE_H

#include "analyse/compare/sums.h"
#include "result/report.h"
#include "show/finding.h"

/*
 * Writes a record whose columns follow from what is compared, a row for each point. ST_OK,
 * ST_USAGE or ST_FAILED.
 */
int compare_write(const struct output_options *o, struct record *rec, const struct compared *all,
		  const struct row_pairs *p, const struct measure *m);

/* Of the findings of points. */
extern const struct sentence compare_sentences[];

/*
 * The summary of a comparison: of all points; with several B also of each, and the totals have no
 * points of one file. sums: of each B, then of all. New reference.
 */
json_t *compare_summary(const struct compared *all, const struct row_pairs *p,
			const struct measure *m, const struct sums *sums);

/* The lines under the table, for free(); NULL without memory. */
char *compare_footer(const struct compared *all, const struct row_pairs *p,
		     const struct sums *sums);

/* Reports the failing points and the missing verdicts. Returns the exit status of the findings. */
int compare_status(const struct compared *all, const struct row_pairs *p, const struct sums *sums,
		   const struct findings *found, const struct fail_if *fail);

#endif
