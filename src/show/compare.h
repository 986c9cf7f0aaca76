/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_COMPARE_H
#define NETBENCH_SHOW_COMPARE_H

#include "analyse/compare/sums.h"
#include "result/report.h"
#include "show/finding.h"

/*
 * Writes a comparison as a result with a row for each point. The columns depend on the measure and
 * on the compared files. Returns ST_OK, ST_USAGE or ST_FAILED.
 */
int compare_write(const struct output_options *o, struct record *rec, const struct compared *all,
		  const struct row_pairs *p, const struct measure *m);

/* The sentences for the findings of points. */
extern const struct sentence compare_sentences[];

/*
 * Returns the summary of a comparison over all points (new reference). With several files B the
 * summary also has a summary of each B. Then only the summaries of each B have a median and a worst
 * point. `sums` holds the sums of each B, followed by the sums over all B.
 */
json_t *compare_summary(const struct compared *all, const struct row_pairs *p,
			const struct measure *m, const struct sums *sums);

/* Returns the lines below the table, or NULL without memory. The caller frees them. */
char *compare_footer(const struct compared *all, const struct row_pairs *p,
		     const struct sums *sums);

/* Reports the failing points and the missing verdicts. Returns the exit status of the findings. */
int compare_status(const struct compared *all, const struct row_pairs *p, const struct sums *sums,
		   const struct findings *found, const struct fail_if *fail);

#endif
