/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_CHECK_H
#define NETBENCH_SHOW_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/promise.h"
#include "analyse/require.h"
#include "result/report.h"
#include "show/finding.h"

/* The parts of the report, in this order. */
struct check_report {
	const char *title;
	const json_t *warnings;
	const struct figures *found;
	const struct promise *promise;	/* judged */
	const struct requirements *required;
	enum judgement verdict;		/* of all */
	bool nothing_judged;
	bool over;			/* the run ended early */
	int ranks;
	size_t runs;			/* whose medians the figures are; 1: those of a run */
	enum rate_unit rates;
};

/* Of the findings of check. */
extern const struct sentence check_sentences[];

/* The lines, of 79 columns at most, for free(); NULL without memory. */
char *check_words(const struct check_report *r);

#endif
