/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_CHECK_H
#define NETBENCH_SHOW_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/promise.h"
#include "analyse/require.h"
#include "result/report.h"
#include "show/finding.h"

/* What the report of check shows, in this order. */
struct check_report {
	const char *title;
	const json_t *warnings;
	const struct figures *found;
	const struct promise *promise;	/* after it was judged */
	const struct requirements *required;
	enum judgement verdict;		/* of the whole check */
	bool nothing_judged;
	bool over;			/* the run ended early */
	int ranks;
	/* number of runs: the figures are medians over them, or of the only run if 1 */
	size_t runs;
	enum rate_unit rates;
};

/* The sentences for the findings of check. */
extern const struct sentence check_sentences[];

/* Returns the report, in lines of at most 79 columns. The caller frees it. NULL without memory. */
char *check_words(const struct check_report *r);

#endif
